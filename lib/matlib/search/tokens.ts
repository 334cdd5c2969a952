const fillers = new Set(['a', 'an', 'and', 'at', 'for', 'in', 'of', 'on', 'or', 'the', 'to', 'with']);

/** One spelling for a word's plural: it has to be the same on both sides only, not right. */
function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !/(ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

/** The words of a text as they are compared: lower case, without accents, split at all punctuation and `_`. */
export function tokens(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(singular);
}

/** The words that somebody looks for: the fillers of a sentence do not count, unless there is nothing else. */
export function queryTokens(text: string): string[] {
  const all = [...new Set(tokens(text))];
  const telling = all.filter((word) => !fillers.has(word));
  return telling.length > 0 ? telling : all;
}
