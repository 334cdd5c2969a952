/** The CSS value of an alignment: by default, text is aligned where it starts, which is at the right for right-to-left text. */
export const textAlign = { left: 'start', center: 'center', right: 'right', justify: 'justify' } as const;

/** Letters that are written from right to left: Hebrew, Arabic, Syriac, Thaana, N'Ko and their presentation forms. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** The `dir` of a table cell. A table can have many thousands, so those without right-to-left letters get none. */
export function cellDirection(text: string | undefined): 'auto' | undefined {
  return text !== undefined && RIGHT_TO_LEFT.test(text) ? 'auto' : undefined;
}
