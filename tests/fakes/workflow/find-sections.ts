import { openBytes } from '@/lib/specs/pdf/open-pdf';

type Line = { page: number; size: number; y: number; text: string };

const HEADING_RATIO = 1.2;
const LONGEST_HEADING = 160;

/** `count` is the number of sections. `headings` is empty if the sections come from the bookmarks. */
type FoundSections = { count: number; headings: { title: string; page: number }[] };

/**
 * Finds the sections of a PDF: its top-level bookmarks or, if it has none, its headings, which are recognized by font
 * size. Throws an error with a readable message if the PDF cannot be opened. Transfers `pdf`, so its bytes cannot be
 * used afterward.
 */
export async function findSections(pdf: Uint8Array): Promise<FoundSections> {
  const document = await openPdf(pdf);
  try {
    const outline = await document.getOutline();
    if (outline?.length) return { count: outline.length, headings: [] };
    const lines: Line[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      lines.push(
        ...items.flatMap((item) => ('str' in item ? [toLine(number, item.str, item.transform)] : [])),
      );
      page.cleanup();
    }
    const found = headingsOf(lines.filter(({ text, size }) => text !== '' && size > 0));
    return { count: found.length, headings: found.map(({ text, page }) => ({ title: text, page })) };
  } finally {
    await document.loadingTask.destroy();
  }
}

async function openPdf(pdf: Uint8Array) {
  try {
    return await openBytes(pdf);
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'PasswordException')
      throw new Error('the PDF is protected with a password', { cause: error });
    throw new Error('the file is not a readable PDF', { cause: error });
  }
}

function toLine(page: number, text: string, transform: number[]): Line {
  const [, , c = 0, d = 0, , y = 0] = transform;
  return { page, text: text.trim(), size: Math.round(Math.hypot(c, d) * 2) / 2, y };
}

/**
 * Returns the headings: the lines in the largest font size, if that size is clearly larger than the size of the body
 * text. A single line in the largest size is the title of the PDF if a second size is also clearly larger than the body
 * text. The headings are then the lines in the second largest size.
 */
function headingsOf(lines: Line[]): Line[] {
  const letters = new Map<number, number>();
  for (const { size, text } of lines) letters.set(size, (letters.get(size) ?? 0) + text.length);
  const bodySize = [...letters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
  const large = joinWrapped(
    lines.filter(({ size, text }) => size >= bodySize * HEADING_RATIO && text.length <= LONGEST_HEADING),
  );
  const bySize = [...Map.groupBy(large, ({ size }) => size)].sort(([a], [b]) => b - a);
  const [first = [], second] = bySize.map(([, headings]) => headings);
  return first.length === 1 && second !== undefined ? second : first;
}

/**
 * Drops each text item that continues the previous item, either on the same printed line or on the next line of a
 * wrapped heading.
 */
function joinWrapped(lines: Line[]): Line[] {
  return lines.filter((line, index) => {
    const before = lines[index - 1];
    const continues =
      before?.page === line.page &&
      before.size === line.size &&
      Math.abs(before.y - line.y) <= line.size * 1.5;
    return !continues;
  });
}
