import type { Sheet } from '../document/sheets';

/** Chromium needs more than its share of time and memory for longer documents. */
const MAX_SHEETS = 25;
/** Fewer are printed sooner in one go than side by side. */
const ALONE = 12;

/** Cuts a document into parts of about the same length, an even number of them: two are printed at a time. */
export function chunkSheets(sheets: Sheet[]): Sheet[][] {
  const count = sheets.length <= ALONE ? 1 : 2 * Math.ceil(sheets.length / (2 * MAX_SHEETS));
  const size = Math.ceil(sheets.length / count);
  return Array.from({ length: Math.ceil(sheets.length / size) }, (_, index) =>
    sheets.slice(index * size, (index + 1) * size),
  );
}
