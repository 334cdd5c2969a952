/**
 * A part of a spec to compare with another version: a section, the text before the first section, or, in a comparison
 * by pages, a page. Only sections have titles.
 */
export type SpecPart = { title: string | null; page: number | null; level: number; text: string };

export type StoredSection = { title: string; page: number | null; level: number; text: string | null };
export type StoredPage = { page: number; text: string };

/** A first or last line that repeats on more than this fraction of the pages counts as a header or footer. */
const RUNNING_SHARE = 0.5;
const MIN_PAGES_WITH_RUNNING_LINES = 3;

const plainText = (text: string) => text.replace(/\s+/gu, ' ').trim();

/** Masks the numbers in a line, so that a header or footer with a page number is the same on all pages. */
const lineKey = (line: string | undefined) => line?.trim().replace(/\d+/gu, '#');

/**
 * Removes headers and footers that repeat on most pages. Otherwise, a page number or date in them that differs between
 * versions would mark every section as changed. Keeps section titles.
 */
function withoutRunningLines(pages: StoredPage[], sections: StoredSection[] = []): StoredPage[] {
  if (pages.length < MIN_PAGES_WITH_RUNNING_LINES) return pages;
  const paged = pages.map(({ page, text }) => {
    return { page, lines: text.split('\n').filter((line) => line.trim() !== '') };
  });
  const titles = new Set(sections.map(({ title }) => plainText(title).toLowerCase()));
  const isRunning = (at: 0 | -1) => {
    const counts = new Map<string, number>();
    for (const { lines } of paged) {
      const key = lineKey(lines.at(at));
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return (lines: string[]) => {
      const line = lines.at(at);
      if (titles.has(plainText(line ?? '').toLowerCase())) return false;
      return (counts.get(lineKey(line) ?? '') ?? 0) > paged.length * RUNNING_SHARE;
    };
  };
  const [isHeader, isFooter] = [isRunning(0), isRunning(-1)];
  return paged.map(({ page, lines }) => {
    const from = isHeader(lines) ? 1 : 0;
    const to = isFooter(lines) ? lines.length - 1 : lines.length;
    return { page, text: lines.slice(from, to).join('\n') };
  });
}

/** Returns the position of a title in `text`, ignoring case, or -1 if it is not found. */
function findTitle(text: string, title: string): number {
  const at = text.indexOf(title);
  if (at >= 0) return at;
  const folded = text.toLowerCase();
  // Some letters change length in lowercase, which would make the position wrong.
  return folded.length === text.length ? folded.indexOf(title.toLowerCase()) : -1;
}

type Placed = { section: StoredSection; start: number; textStart: number };

/**
 * Returns the sections of a spec with their text. A section that is stored without text gets the text after its title
 * on its page, up to the start of the next section, or no text if its page is unknown. If the page does not contain the
 * title, the text starts at the top of the page, or after the previous section's title if that section is on the same
 * page. If all sections are stored without text, the text before the first one becomes a part without a title. Returns
 * no parts if the spec has text but its sections have neither text nor known pages, because a comparison by sections
 * would miss that text.
 */
export function sectionParts(sections: StoredSection[], pages: StoredPage[]): SpecPart[] {
  const starts = new Map<number, { start: number; text: string }>();
  let whole = '';
  for (const { page, text } of withoutRunningLines(pages, sections)) {
    const plain = plainText(text);
    starts.set(page, { start: whole.length, text: plain });
    whole += `${plain} `;
  }
  let last = { page: -1, end: 0 };
  const placed = sections.map((section): Placed => {
    const page = section.page === null ? undefined : starts.get(section.page);
    if (!page || section.page === null) return { section, start: -1, textStart: -1 };
    // If the previous section is on the same page, search only after its title.
    const from = last.page === section.page ? last.end - page.start : 0;
    const title = plainText(section.title);
    const at = findTitle(page.text.slice(from), title);
    const start = page.start + from + Math.max(at, 0);
    const textStart = at < 0 ? start : start + title.length;
    last = { page: section.page, end: textStart };
    return { section, start, textStart };
  });
  const hasText = placed.some(({ section, start }) => start >= 0 || section.text !== null);
  if (!hasText && pages.length > 0) return [];
  // If several sections start at the same position, the last one gets the text.
  const inOrder = placed.toSorted((a, b) => a.start - b.start || a.textStart - b.textStart);
  const endOf = new Map(inOrder.map((place, n) => [place, inOrder[n + 1]?.start ?? whole.length]));
  const textOf = (place: Placed) => {
    const { section, start, textStart } = place;
    if (section.text !== null) return plainText(section.text);
    return start < 0 ? '' : whole.slice(textStart, endOf.get(place)).trim();
  };
  const first = inOrder.find(({ start }) => start >= 0)?.start ?? 0;
  const opening = sections.some(({ text }) => text !== null) ? '' : whole.slice(0, first).trim();
  return [
    ...(opening ? [{ title: null, page: pages[0]?.page ?? null, level: 1, text: opening }] : []),
    ...placed.map((place): SpecPart => {
      const { title, page, level } = place.section;
      return { title: plainText(title), page, level, text: textOf(place) };
    }),
  ];
}

/** Returns the pages of a spec as parts, for a comparison by pages. */
export function pageParts(pages: StoredPage[]): SpecPart[] {
  return withoutRunningLines(pages).map(({ page, text }) => {
    return { title: null, page, level: 1, text: plainText(text) };
  });
}
