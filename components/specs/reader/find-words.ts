import { foldedWords, word } from '@/lib/specs/fold-words';

/** A range in the text of a page; `end` is exclusive. */
export type TextRange = { start: number; end: number };

/** The range of a word in a string, and the word normalized for search. */
export type Word = TextRange & { folded: string };

export function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(word), ({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    folded: foldedWords(found).join(''),
  }));
}

/**
 * Returns the ranges that match the search text `q`, either as a phrase or as individual words. The last word of `q`
 * can be incomplete. Case, accents and punctuation are ignored.
 */
export function findWords(words: Word[], q: string, match: 'phrase' | 'any'): TextRange[] {
  const terms = wordsOf(q).map(({ folded }) => folded);
  const last = terms.length - 1;
  if (last < 0) return [];
  const matches = (term: number, found: Word | undefined) =>
    found !== undefined &&
    (term === last ? found.folded.startsWith(terms[term] ?? '') : found.folded === terms[term]);
  if (match === 'any') return words.filter((found) => terms.some((_, term) => matches(term, found)));
  return words.flatMap((first, n) => {
    const end = words[n + last];
    return end && terms.every((_, term) => matches(term, words[n + term]))
      ? [{ start: first.start, end: end.end }]
      : [];
  });
}
