import { getDocumentProxy } from 'unpdf';

type Line = { page: number; size: number; y: number; text: string };

const HEADING_RATIO = 1.2;
const LONGEST_HEADING = 160;

/**
 * Counts the sections of a PDF: its top-level bookmarks or, if it has none, its headings, which are recognized by font
 * size. Returns 0 if it has neither. Throws an error with a readable message if the PDF cannot be read. The bytes are
 * transferred and cannot be used afterwards.
 */
export async function countSections(pdf: Uint8Array): Promise<number> {
  const document = await openPdf(pdf);
  try {
    const outline = await document.getOutline();
    if (outline?.length) return outline.length;
    const lines: Line[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      lines.push(
        ...items.flatMap((item) => ('str' in item ? [toLine(number, item.str, item.transform)] : [])),
      );
      page.cleanup();
    }
    return countHeadings(lines.filter(({ text, size }) => text !== '' && size > 0));
  } finally {
    await document.loadingTask.destroy();
  }
}

async function openPdf(pdf: Uint8Array) {
  try {
    return await getDocumentProxy(pdf, { verbosity: 0 });
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
 * Counts the lines in the largest font size, which must be larger than that of the body text. If only one line has that
 * size, it is the title, so the next size counts.
 */
function countHeadings(lines: Line[]): number {
  const letters = new Map<number, number>();
  for (const { size, text } of lines) letters.set(size, (letters.get(size) ?? 0) + text.length);
  const bodySize = [...letters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
  const large = joinWrapped(
    lines.filter(({ size, text }) => size >= bodySize * HEADING_RATIO && text.length <= LONGEST_HEADING),
  );
  const counts = new Map<number, number>();
  for (const { size } of large) counts.set(size, (counts.get(size) ?? 0) + 1);
  const [first, second] = [...counts].sort((a, b) => b[0] - a[0]).map(([, count]) => count);
  return first === 1 && second !== undefined ? second : (first ?? 0);
}

/** Keeps only the first of the pieces that make up a line or a heading that wraps onto a second line. */
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
