import type { SearchItem } from '../schema';
import { createNearWords } from './near-words';
import { stemOf, tokens } from './tokens';

/** A word's occurrence in an item: the item's index, and the word's strength (up to 1). */
export type Posting = { at: number; strength: number };

/** A known word that a typed word may mean, and its weight (up to 1). */
export type Expansion = { word: string; weight: number };

/** The strength of a word in each field: highest in the name, then in tags, categories and the description. */
const fieldStrength = { name: 0.85, tags: 0.65, categories: 0.5, description: 0.2 };

const STEM = 0.9;
const BEGINNING = 0.75;
const BEGINNING_OF_KNOWN = 0.35;
const END_OF_COMPOUND = 0.45;
const PREFIX_FROM = 3;
const PART_FROM = 4;
const CHUNK = 200;

/** The words in a list of items, and their occurrences. */
export type WordIndex = Awaited<ReturnType<typeof createWordIndex>>;

/** Returns the strength of each word in an item. The more fields contain a word, the greater its strength, up to 1. */
function strengthsOf(item: SearchItem): Map<string, number> {
  const found = new Map<string, number>();
  for (const [field, strength] of Object.entries(fieldStrength)) {
    const value = item[field as keyof typeof fieldStrength];
    for (const word of new Set(tokens(Array.isArray(value) ? value.join(' ') : value))) {
      found.set(word, 1 - (1 - (found.get(word) ?? 0)) * (1 - strength));
    }
  }
  return found;
}

/** Yields the words in a sorted list that start with `start`. */
function* startingWith(sorted: readonly string[], start: string): Generator<string> {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < start) low = middle + 1;
    else high = middle;
  }
  for (let i = low; sorted[i]?.startsWith(start); i += 1) yield sorted[i] ?? '';
}

const reversed = (word: string) => [...word].reverse().join('');

/**
 * Indexes the words in a list of items, regularly yielding to other work. `listed` contains additional words that a
 * misspelled word may mean.
 */
export async function createWordIndex(items: readonly SearchItem[], listed: readonly string[]) {
  const postings = new Map<string, Posting[]>();
  const names: string[][] = [];
  for (const [at, item] of items.entries()) {
    if (at % CHUNK === CHUNK - 1) await new Promise((resolve) => setImmediate(resolve));
    names.push(tokens(item.name).filter((word) => !/^\d+$/.test(word)));
    for (const [word, strength] of strengthsOf(item)) {
      const known = postings.get(word);
      if (known) known.push({ at, strength });
      else postings.set(word, [{ at, strength }]);
    }
  }
  const words = [...postings.keys()].sort();
  const backwards = words.map(reversed).sort();
  const stems = new Map<string, string[]>();
  for (const word of words) stems.set(stemOf(word), [...(stems.get(stemOf(word)) ?? []), word]);
  /** The words that occur in at least one name, tag or category. */
  const specificWords = new Set(
    words.filter((word) => postings.get(word)?.some(({ strength }) => strength > 0.3)),
  );

  /**
   * Returns the indexed words that a word may mean: itself, its forms and, unless it is very short, words that start or
   * end with it. A number means only itself.
   */
  function expand(word: string, isKnown: boolean): Expansion[] {
    const found = new Map<string, number>();
    const note = (other: string, weight: number) => found.set(other, Math.max(weight, found.get(other) ?? 0));
    if (/^\d+$/.test(word)) return postings.has(word) ? [{ word, weight: 1 }] : [];
    if (word.length >= PREFIX_FROM && (!isKnown || word.length >= PART_FROM)) {
      const weight = isKnown ? BEGINNING_OF_KNOWN : BEGINNING;
      for (const other of startingWith(words, word)) note(other, weight);
    }
    if (word.length >= PART_FROM) {
      for (const other of startingWith(backwards, reversed(word))) {
        if (other.length >= word.length + 3) note(reversed(other), END_OF_COMPOUND);
      }
    }
    for (const other of stems.get(stemOf(word)) ?? []) note(other, STEM);
    if (postings.has(word)) note(word, 1);
    return [...found].map(([other, weight]) => ({ word: other, weight }));
  }

  return {
    size: items.length,
    /** The words in each item's name, without numbers. */
    names,
    postings: (word: string): readonly Posting[] => postings.get(word) ?? [],
    has: (word: string) => postings.has(word),
    /** Returns whether the word or another form of it occurs outside of descriptions. */
    isSpecific: (word: string) =>
      specificWords.has(word) || (stems.get(stemOf(word)) ?? []).some((one) => specificWords.has(one)),
    begins: (word: string) => word.length >= PREFIX_FROM && !startingWith(words, word).next().done,
    expand,
    near: createNearWords(new Set([...words, ...listed])),
  };
}
