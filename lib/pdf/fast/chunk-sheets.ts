import type { Sheet } from '@/lib/document/sheets';

/**
 * Target number of sheets per part. Short parts waste time, because each part needs a new renderer, which takes about
 * 0.1 s. Printing time grows faster than the length of a part, so long parts are slow too.
 */
const SHEETS = 50;
/** Largest number of sheets that print faster as one part than as two concurrent parts. */
const ALONE = 12;

/**
 * Splits a document into parts of about equal length. Aims for one part or an even number of parts, because two parts
 * print at a time.
 */
export function chunkSheets(sheets: Sheet[]): Sheet[][] {
  const pairs = Math.max(1, Math.round(sheets.length / (2 * SHEETS)));
  const count = sheets.length <= ALONE ? 1 : 2 * pairs;
  const size = Math.ceil(sheets.length / count);
  return Array.from({ length: Math.ceil(sheets.length / size) }, (_, index) =>
    sheets.slice(index * size, (index + 1) * size),
  );
}
