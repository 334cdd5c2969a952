import type { SearchItem } from '../schema';
import { colorFit, lightnessFit } from './color-fit';
import { type Concept, conceptsOf } from './concepts';
import { isListed, listedWords, type Meaning } from './lexicon';
import { queryTokens } from './tokens';
import { createWordIndex, type WordIndex } from './word-index';

/** The ids of the matching items, best first, and how strictly the best item matches the words. */
export type TextMatch = { ids: string[]; match: 'exact' | 'fuzzy' | 'any' };
export type TextIndex = {
  /** Finds the items that match `text`. `items` are the index's items with the colors known so far. */
  find(text: string, items?: ReadonlyMap<string, SearchItem>): TextMatch;
};

/** Minimum fit for an item to match a concept. */
const MATCH_MIN = 0.25;
/** Fit above which an item covers a concept in part. */
const COVERAGE_FROM = 0.2;
/** Minimum fit for an item to cover a concept completely. */
const COVERAGE_FULL = 0.5;
/** Minimum fit for an item to be about a concept. The more items are about a concept, the less the concept weighs. */
const TOPIC_MIN = 0.45;
const LEAST_RARITY = 0.5;
/** Factor for an item's fit to a multi-word meaning when any of the words is missing. */
const PART_OF_PHRASE = 0.45;
/** Items below this share of the best score are shown only if they are among the first `FILL_UP_TO`. */
const LEAST_SHARE = 0.6;
const FILL_UP_TO = 10;
const LEAST_SCORE = 0.06;
const NAME_BONUS = 0.1;
const DOWNLOADS_BONUS = 0.04;
const MOST_DOWNLOADS_LOG = 6;

type Vector = Float64Array;
type Scored = { concept: Concept; fit: Vector; weight: number; isMet: boolean };

/** Returns a key for a name. Names that differ only in the order of their words have the same key. */
const nameKey = (text: string) => queryTokens(text).sort().join(' ');

/** Returns how well each item matches a word, or null if no item matches it. */
function fitOfWord(index: WordIndex, word: string): Vector | null {
  const expansions = index.expand(word, index.has(word) || isListed([word]));
  if (expansions.length === 0) return null;
  const fit = new Float64Array(index.size);
  for (const { word: other, weight } of expansions) {
    for (const { at, strength } of index.postings(other)) {
      fit[at] = Math.max(fit[at] ?? 0, weight * strength);
    }
  }
  return fit;
}

/**
 * Computes how well each item fits a meaning, and stores the result in `fit` if it is higher than the item's current
 * value. The result is the mean of the item's fits to the meaning's words, times `weight`. If the meaning has
 * several words and the item does not match all of them, the result is also multiplied by `PART_OF_PHRASE`.
 */
function raiseToMeaning(
  fit: Vector,
  { words, weight }: Meaning,
  fitOf: (word: string) => Vector | null,
): void {
  const parts = words.map(fitOf);
  if (parts.every((part) => part === null)) return;
  for (let at = 0; at < fit.length; at += 1) {
    let sum = 0;
    let isWhole = true;
    for (const part of parts) {
      const one = part?.[at] ?? 0;
      sum += one;
      if (one < MATCH_MIN) isWhole = false;
    }
    if (sum === 0) continue;
    const share = isWhole || parts.length === 1 ? 1 : PART_OF_PHRASE;
    fit[at] = Math.max(fit[at] ?? 0, (weight * sum * share) / parts.length);
  }
}

function countAbove(fit: Vector, least: number): number {
  let count = 0;
  for (const value of fit) if (value >= least) count += 1;
  return count;
}

/**
 * Builds the text index of a list of items, regularly yielding to other work. `lib/matlib/README.md` explains the
 * ranking.
 */
export async function createTextIndex(items: readonly SearchItem[]): Promise<TextIndex> {
  const index = await createWordIndex(items, listedWords());
  const own = new Map(items.map((item) => [item.id, item]));
  const exact = new Map<string, number[]>();
  for (const [at, { id, name }] of items.entries()) {
    for (const key of new Set([nameKey(id), nameKey(name)])) {
      exact.set(key, [...(exact.get(key) ?? []), at]);
    }
  }
  const popularity = Float64Array.from(items, ({ download_count }) =>
    Math.min(1, Math.log10(1 + download_count) / MOST_DOWNLOADS_LOG),
  );

  function fitOfConcept(
    concept: Concept,
    isOnly: boolean,
    painted: ReadonlyMap<string, SearchItem>,
    fitOf: (word: string) => Vector | null,
  ): Vector {
    const fit = new Float64Array(index.size);
    for (const meaning of concept.meanings) raiseToMeaning(fit, meaning, fitOf);
    const { color, lightness } = concept;
    // Ignore the colors of items if the query's only concept is a material or object that shares its name with a color.
    // Also ignore them if the only concept is a lightness, because `light` may mean a lamp.
    if ((!color || (color.isThing && isOnly)) && (!lightness || isOnly)) return fit;
    for (const [at, { id }] of items.entries()) {
      const hex = painted.get(id)?.color;
      if (!hex) continue;
      const seen = color ? colorFit(hex, color) : lightness ? lightnessFit(hex, lightness) : 0;
      fit[at] = 1 - (1 - (fit[at] ?? 0)) * (1 - seen);
    }
    return fit;
  }

  /** Returns a function that computes what share of an item's name the query covers. */
  function shareOfName(scored: Scored[]): (at: number) => number {
    const queryWords = new Set<string>();
    for (const { concept } of scored) {
      for (const { words, weight } of concept.meanings) {
        if (weight < 0.6) continue;
        for (const word of words) {
          for (const one of index.expand(word, true)) if (one.weight >= 0.7) queryWords.add(one.word);
        }
      }
    }
    return (at) => {
      const name = index.names[at] ?? [];
      return name.length === 0 ? 0 : name.filter((word) => queryWords.has(word)).length / name.length;
    };
  }

  function find(text: string, painted: ReadonlyMap<string, SearchItem> = own): TextMatch {
    const concepts = conceptsOf(index, text);
    const fits = new Map<string, Vector | null>();
    const fitOf = (word: string) => {
      const known = fits.get(word);
      if (known !== undefined) return known;
      const fit = fitOfWord(index, word);
      fits.set(word, fit);
      return fit;
    };
    const all = concepts.map((concept): Scored => {
      const fit = fitOfConcept(concept, concepts.length === 1, painted, fitOf);
      const common = Math.log1p(countAbove(fit, TOPIC_MIN)) / Math.log1p(index.size);
      const isMet = countAbove(fit, Number.MIN_VALUE) > 0;
      return { concept, fit, weight: concept.weight * Math.max(LEAST_RARITY, 1 - common), isMet };
    });
    const met = all.filter(({ isMet }) => isMet);
    // If some concepts match no item, and every concept that matches an item is a typo correction, the query makes no
    // sense for these items.
    const makesSense = met.length === all.length || met.some(({ concept }) => !concept.isGuess);
    if (met.length === 0 || !makesSense) return { ids: [], match: all.length > 1 ? 'any' : 'fuzzy' };

    const total = met.reduce((sum, { weight }) => sum + weight, 0);
    const nameShare = shareOfName(met);
    const ranked: { at: number; score: number }[] = [];
    for (let at = 0; at < index.size; at += 1) {
      let fit = 0;
      let covered = 0;
      for (const one of met) {
        fit += one.weight * (one.fit[at] ?? 0);
        const share = ((one.fit[at] ?? 0) - COVERAGE_FROM) / (COVERAGE_FULL - COVERAGE_FROM);
        covered += one.weight * Math.max(0, Math.min(1, share));
      }
      // Rank an item that covers all concepts, even if only in its tags, above one with a single query word in its
      // name.
      const score = (fit / total) * (0.4 + 0.6 * (covered / total));
      if (score < LEAST_SCORE) continue;
      const bonus = NAME_BONUS * nameShare(at) + DOWNLOADS_BONUS * (popularity[at] ?? 0);
      ranked.push({ at, score: score + bonus });
    }
    // Compute `measure` before adding the bonus for an exact name. Otherwise, the bonus would raise `measure`, and more
    // of the other items would be hidden.
    const measure = Math.min(Math.max(...ranked.map(({ score }) => score)), 1);
    for (const at of exact.get(nameKey(text)) ?? []) {
      const one = ranked.find((other) => other.at === at);
      if (one) one.score += 1;
    }
    const idOf = ({ at }: { at: number }) => items[at]?.id ?? '';
    ranked.sort((a, b) => b.score - a.score || (idOf(a) < idOf(b) ? -1 : 1));
    const [best] = ranked;
    if (!best) return { ids: [], match: 'any' };
    const shown = ranked.filter(({ score }, rank) => rank < FILL_UP_TO || score >= measure * LEAST_SHARE);
    const hasAll = all.every(({ fit, concept }) => (fit[best.at] ?? 0) >= MATCH_MIN || concept.weight < 0.2);
    const match = !hasAll ? 'any' : all.some(({ concept }) => concept.isGuess) ? 'fuzzy' : 'exact';
    return { ids: shown.map(idOf), match };
  }
  return { find };
}
