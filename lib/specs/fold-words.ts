/** Matches a word, including combining accents. */
export const word = /[\p{Alphabetic}\p{Nd}\p{Mn}]+/gu;

const spellings: Record<string, string> = {
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ð: 'd',
  ς: 'σ',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
};

/**
 * Returns the words in `text`, normalized for search. Must normalize in the same way as `private.fold_text` in the
 * database.
 */
export function foldedWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  return plain.replace(/[øđłıħðςßæœ]/g, (letter) => spellings[letter] ?? letter).match(word) ?? [];
}
