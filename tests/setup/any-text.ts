import fc from 'fast-check';

/** The number of surrogates, U+D800 to U+DFFF. They are code points, but no characters by themselves. */
const SURROGATES = 0x800;

const character = fc.nat(0x10ffff - SURROGATES).map(
  (index) => String.fromCodePoint(index < 0xd800 ? index : index + SURROGATES),
  (text) => {
    const code = String(text).codePointAt(0) ?? 0;
    return code < 0xd800 ? code : code - SURROGATES;
  },
);

/**
 * An arbitrary of strings of any Unicode characters. fast-check's unit `binary` makes the same strings, but first builds
 * a map of all 1.1 million characters, which takes more than a second in each worker.
 */
export const anyText = (limits: { maxLength?: number } = {}) => fc.string({ unit: character, ...limits });
