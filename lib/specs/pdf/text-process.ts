// The program that `readText` runs in a separate process to read the text and the outline of one PDF with PDF.js. It
// reads the file from descriptor 3 and writes each page to stdout as a line of JSON. If this process is killed,
// `readText` keeps the pages written so far. Node runs this file directly, so imports of the project's modules need
// file extensions.
import { writeSync } from 'node:fs';
import { fileOf, type OpenPdf, openPdf, type ReadFile } from './open-pdf.ts';
import {
  MAX_OUTLINE_LEVEL,
  MAX_PAGE_CHARS,
  MAX_SECTIONS,
  MAX_TEXT_PAGES,
  MAX_TITLE_CHARS,
} from './text-limits.ts';

type PageText = { page: number; text: string };
type Section = { title: string; page: number | null; level: number };
type Outline = Awaited<ReturnType<OpenPdf['getOutline']>>;

/** The number of characters after which no further page is read. */
const MAX_CHARS = 4_000_000;

/** Returns up to `maxChars` characters of `text`, with single spaces and only characters that Postgres can store. */
function tidy(text: string, maxChars: number): string {
  const plain = text
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n');
  return plain.trim().slice(0, maxChars).toWellFormed().trim();
}

/** Returns the text of a page. Stops reading when there is more text than can be stored. */
async function textOfPage(document: OpenPdf, number: number): Promise<string> {
  const page = await document.getPage(number);
  const reader = page.streamTextContent().getReader();
  let text = '';
  while (text.length < MAX_PAGE_CHARS * 2) {
    const { value, done } = await reader.read();
    if (done) break;
    for (const item of value.items) if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str;
  }
  await reader.cancel(new Error('enough'));
  page.cleanup();
  return tidy(text, MAX_PAGE_CHARS);
}

/** Returns the number of the page that an outline entry links to, or null. */
async function pageOf(document: OpenPdf, { dest }: Outline[number]): Promise<number | null> {
  try {
    const destination = typeof dest === 'string' ? await document.getDestination(dest) : dest;
    const target: unknown = destination?.[0];
    if (typeof target === 'number') return Number.isInteger(target) && target >= 0 ? target + 1 : null;
    return destination?.[0] ? (await document.getPageIndex(destination[0])) + 1 : null;
  } catch {
    return null;
  }
}

async function sectionsOf(document: OpenPdf): Promise<Section[]> {
  const sections: Section[] = [];
  // Use an explicit stack, because a hostile outline can be nested too deeply for recursion.
  const open = ((await document.getOutline()) ?? []).toReversed().map((entry) => ({ entry, level: 1 }));
  for (let next = open.pop(); next && sections.length < MAX_SECTIONS; next = open.pop()) {
    const { entry, level } = next;
    const title = tidy(entry.title.replaceAll('\n', ' '), MAX_TITLE_CHARS);
    if (title) sections.push({ title, page: await pageOf(document, entry), level });
    for (const child of entry.items.toReversed()) {
      open.push({ entry: child, level: Math.min(level + 1, MAX_OUTLINE_LEVEL) });
    }
  }
  return sections;
}

/**
 * Calls `onLine` with the text of each non-empty page among the first `MAX_TEXT_PAGES` pages, up to about `MAX_CHARS`
 * characters in total. Then calls `onLine` with the sections of the outline. A page or an outline that cannot be read
 * counts as empty. A hostile file can take any amount of time and memory, so the caller must limit both.
 */
export async function readWithPdfJs(
  readFile: ReadFile,
  onLine: (line: PageText | { sections: Section[] }) => void,
): Promise<void> {
  const document = await openPdf(readFile);
  let chars = 0;
  for (let page = 1; page <= Math.min(document.numPages, MAX_TEXT_PAGES) && chars < MAX_CHARS; page += 1) {
    const text = await textOfPage(document, page).catch(() => '');
    chars += text.length;
    if (text) onLine({ page, text });
  }
  onLine({ sections: await sectionsOf(document).catch(() => []) });
}

function writeLine(line: object): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let written = 0; written < bytes.length; ) written += writeSync(1, bytes, written);
}

if (import.meta.main) {
  await readWithPdfJs(fileOf(3), writeLine).catch(() => writeLine({ isUnreadable: true }));
  process.exit(0);
}
