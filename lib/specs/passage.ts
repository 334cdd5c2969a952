import { foldedWords, word } from './fold-words';

const PASSAGE_CHARS = 200;
/** The approximate number of characters to show before the first marked word. */
const BEFORE_CHARS = 50;
const MAX_WORD_CHARS = 40;

/** Returns whether a query has at least one word to search for. */
export function hasWords(text: string): boolean {
  return foldedWords(text).length > 0;
}

type Hit = { start: number; end: number; term: number };

function findHits(text: string, terms: string[]): Hit[] {
  const last = terms.length - 1;
  const hits: Hit[] = [];
  for (const match of text.matchAll(word)) {
    const [folded = ''] = foldedWords(match[0]);
    const exact = terms.indexOf(folded);
    const term = exact < 0 && folded.startsWith(terms[last] ?? '\n') ? last : exact;
    if (term >= 0) hits.push({ start: match.index, end: match.index + match[0].length, term });
  }
  return hits;
}

/**
 * Returns the start of the hit from which a passage covers the most distinct search words, or 0 if there are no hits.
 */
function bestStart(hits: Hit[]): number {
  let best = { start: 0, count: 0 };
  for (const [n, { start }] of hits.entries()) {
    const found = new Set<number>();
    for (let i = n; i < hits.length; i += 1) {
      const hit = hits[i];
      if (!hit || hit.end > start + PASSAGE_CHARS - BEFORE_CHARS) break;
      found.add(hit.term);
    }
    if (found.size > best.count) best = { start, count: found.size };
  }
  return best.start;
}

/**
 * Returns the start of the word at position `at`, so that a cut there does not split the word. Returns `at` itself if
 * the word is very long.
 */
function wordStart(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - MAX_WORD_CHARS), at);
  const blank = Math.max(before.lastIndexOf(' '), before.lastIndexOf('\n'));
  if (blank >= 0) return at - before.length + blank + 1;
  return at <= MAX_WORD_CHARS ? 0 : at;
}

/**
 * Returns the passage of `text` that contains the most distinct words of the search `q`, and the positions of these
 * words in the passage.
 */
export function passageOf(
  text: string,
  q: string,
): { passage: string; marks: { start: number; end: number }[] } {
  const hits = findHits(text, foldedWords(q));
  const start = wordStart(text, Math.max(0, bestStart(hits) - BEFORE_CHARS));
  const isRest = text.length - start <= PASSAGE_CHARS;
  const end = isRest ? text.length : wordStart(text, start + PASSAGE_CHARS);
  const opening = start > 0 ? '… ' : '';
  const shown = text.slice(start, end).replaceAll('\n', ' ').trimEnd().toWellFormed();
  const shift = opening.length - start;
  const marks = hits
    .filter((hit) => hit.start >= start && hit.end <= start + shown.length)
    .map((hit) => ({ start: hit.start + shift, end: hit.end + shift }));
  return { passage: opening + shown + (isRest ? '' : ' …'), marks };
}
