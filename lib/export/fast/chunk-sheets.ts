import type { Sheet } from '../document/sheets';

/** About so long: each part needs a renderer of its own, a tenth of a second's work; long ones need more than their share. */
const SHEETS = 50;
/** Fewer are printed sooner in one go than side by side. */
const ALONE = 12;

/** Cuts a document into parts of about the same length, an even number of them: two are printed at a time. */
export function chunkSheets(sheets: Sheet[]): Sheet[][] {
  const pairs = Math.max(1, Math.round(sheets.length / (2 * SHEETS)));
  const count = sheets.length <= ALONE ? 1 : 2 * pairs;
  const size = Math.ceil(sheets.length / count);
  return Array.from({ length: Math.ceil(sheets.length / size) }, (_, index) =>
    sheets.slice(index * size, (index + 1) * size),
  );
}
