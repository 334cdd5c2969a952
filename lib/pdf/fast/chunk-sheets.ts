import type { Sheet } from '@/lib/document/sheets';

/**
 * Target size of a part in sheets: each part needs a new renderer, which takes about 0.1 s, but long parts take
 * disproportionately long.
 */
const SHEETS = 50;
/** Largest number of sheets that print faster as one part than as two concurrent parts. */
const ALONE = 12;

/** Splits a document into parts of about equal length: one part, or an even number, because two print at a time. */
export function chunkSheets(sheets: Sheet[]): Sheet[][] {
  const pairs = Math.max(1, Math.round(sheets.length / (2 * SHEETS)));
  const count = sheets.length <= ALONE ? 1 : 2 * pairs;
  const size = Math.ceil(sheets.length / count);
  return Array.from({ length: Math.ceil(sheets.length / size) }, (_, index) =>
    sheets.slice(index * size, (index + 1) * size),
  );
}
