/**
 * CSS `text-align` values by alignment. The default, `left`, aligns text at its start, which is on the right for
 * right-to-left text.
 */
export const textAlign = { left: 'start', center: 'center', right: 'right', justify: 'justify' } as const;

/** Matches a character of a right-to-left script, such as Hebrew, Arabic or Syriac, including presentation forms. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Returns the `dir` of a cell, or undefined if the text has no right-to-left letters. Such text needs no `dir`, and a
 * table can have thousands of cells.
 */
export function cellDirection(text: string | undefined): 'auto' | undefined {
  return text !== undefined && RIGHT_TO_LEFT.test(text) ? 'auto' : undefined;
}
