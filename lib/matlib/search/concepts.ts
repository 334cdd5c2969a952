import { type ColorMeaning, colorOf, isListed, type Meaning, meaningsOf } from './lexicon';
import { queryTokens } from './tokens';
import type { Expansion, WordIndex } from './word-index';
import { darkWords, lightWords } from './words/colors';
import { states, weakWords } from './words/english';

/** A part of a query, such as a material or a color: its possible meanings and its weight. */
export type Concept = {
  meanings: Meaning[];
  color: ColorMeaning | null;
  lightness: 'light' | 'dark' | null;
  weight: number;
  /** Whether the concept was recognized only by correcting typos. */
  isGuess: boolean;
};

const LONGEST_PHRASE = 3;
const MAX_CONCEPTS = 16;
const PARTS = 0.75;
const ONE_TYPO = 0.85;
const TWO_TYPOS = 0.6;
const OTHER_START = 0.85;
const MAX_GUESSES = 6;
/** Weight factor for the less likely reading of a word that may be either a prefix of other words or a typo. */
const SECOND_CHOICE = 0.7;
const LEAST_PART = 3;
const MOST_TO_SPLIT = 40;

const scaled = (meanings: Meaning[], by: number) =>
  meanings.map((meaning) => ({ ...meaning, weight: meaning.weight * by }));

/**
 * Returns the weight of a concept. A kind of material has the highest weight, followed by a color or state, a
 * lightness, a number, and the words in `weakWords`.
 */
function weightOf(words: string[], color: ColorMeaning | null): number {
  if (words.every((word) => weakWords.has(word))) return 0.1;
  if (words.every((word) => /^\d+$/.test(word))) return 0.3;
  if (words.some((word) => lightWords.has(word) || darkWords.has(word))) return 0.5;
  return color || words.every((word) => states.has(word)) ? 0.75 : 1;
}

function conceptOf(words: string[], meanings = meaningsOf(words)): Concept {
  const [word = ''] = words;
  const isOne = words.length === 1;
  const lightness = isOne && lightWords.has(word) ? 'light' : isOne && darkWords.has(word) ? 'dark' : null;
  const color = colorOf(words);
  return { meanings, color, lightness, weight: weightOf(words, color), isGuess: false };
}

/**
 * Returns whether a word is in the dictionaries (see `isListed`), `lightWords` or `darkWords`, or whether the word or a
 * form of it is in an item's name, tags or categories.
 */
function isKnown(index: WordIndex, word: string): boolean {
  return index.isSpecific(word) || isListed([word]) || lightWords.has(word) || darkWords.has(word);
}

/** Splits a compound such as `eichenholz` into known parts, preferably two. Returns null if it finds no such split. */
function splitCompound(index: WordIndex, word: string): string[] | null {
  if (word.length < 2 * LEAST_PART || word.length > MOST_TO_SPLIT) return null;
  // A part of a German compound may end with a linking element. `bare` removes this element if only the part without
  // it is known.
  const isPart = (part: string) => part.length >= LEAST_PART && isKnown(index, part);
  const bare = (part: string) => [part, part.replace(/(s|n|en|es|e)$/, '')].find(isPart) ?? null;
  for (let cut = word.length - LEAST_PART; cut >= LEAST_PART; cut -= 1) {
    const [left, right] = [bare(word.slice(0, cut)), word.slice(cut)];
    if (left !== null && isPart(right)) return [left, right];
  }
  for (let cut = word.length - 2 * LEAST_PART; cut >= LEAST_PART; cut -= 1) {
    const left = bare(word.slice(0, cut));
    const rest = left === null ? null : splitCompound(index, word.slice(cut));
    if (left !== null && rest) return [left, ...rest];
  }
  return null;
}

/**
 * Returns the known words that are the fewest typos away from an unknown word, most likely first. Returns at most
 * `MAX_GUESSES` words, and none that are more than `typos` typos away.
 */
function guessesFor(index: WordIndex, word: string, typos: number): Expansion[] {
  const near = index.near(word).filter((one) => one.typos <= typos);
  const least = Math.min(...near.map((one) => one.typos));
  return near
    .filter((one) => one.typos === least)
    .map(({ word: other }) => {
      const occurrences = index.postings(other).reduce((sum, { strength }) => sum + strength, 0);
      // A word is more likely if more items contain it.
      const commonness = 0.8 + 0.2 * Math.min(1, Math.log1p(occurrences) / 4);
      const start = other[0] === word[0] ? 1 : OTHER_START;
      return { word: other, weight: (least === 1 ? ONE_TYPO : TWO_TYPOS) * start * commonness };
    })
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_GUESSES);
}

const meaningsOfGuesses = (guesses: Expansion[], by = 1): Meaning[] =>
  guesses.flatMap(({ word, weight }) => scaled(meaningsOf([word]), weight * by));

/**
 * Returns the concept of a misspelled word, with the meanings of all guessed words, or null if there are no guesses.
 */
function guessed(guesses: Expansion[]): Concept | null {
  const [likeliest] = guesses;
  if (!likeliest) return null;
  return { ...conceptOf([likeliest.word], meaningsOfGuesses(guesses)), isGuess: true };
}

/** Returns the longest phrase from the dictionaries at the start of `words`, or null. */
function phraseAt(words: string[]): string[] | null {
  for (let length = Math.min(LONGEST_PHRASE, words.length); length > 1; length -= 1) {
    const phrase = words.slice(0, length);
    if (isListed(phrase, true)) return phrase;
  }
  return null;
}

/**
 * Joins the first two words, as in `herring bone`. Returns null unless the joined word is more plausible than two
 * separate words.
 */
function joined(index: WordIndex, [first, second]: string[]): Concept | null {
  if (!first || !second || colorOf([first]) || colorOf([second]) || /\d/.test(first + second)) return null;
  const whole = first + second;
  if (whole.length > MOST_TO_SPLIT) return null;
  const areKnown = isKnown(index, first) && isKnown(index, second);
  if (isKnown(index, whole) && (!areKnown || index.isSpecific(whole) || isListed([whole], true))) {
    return conceptOf([whole], [...meaningsOf([whole]), { words: [first, second], weight: PARTS }]);
  }
  return areKnown || whole.length < 8 ? null : guessed(guessesFor(index, whole, 1));
}

function conceptsOfWord(index: WordIndex, word: string, isLast: boolean): Concept[] {
  const concept = conceptOf([word]);
  const isWeak = !index.isSpecific(word) && !isListed([word]);
  if (/^\d+$/.test(word) || (isKnown(index, word) && !isWeak)) return [concept];
  const typos = guessesFor(index, word, 1);
  // Only `lightWords` or `darkWords` contain this word. No other dictionary, name, tag or category does, so the word
  // may also be a typo.
  if (isKnown(index, word)) {
    return [{ ...concept, meanings: [...concept.meanings, ...meaningsOfGuesses(typos)] }];
  }
  if (index.begins(word)) {
    // The last word may be incomplete, so it is more likely a prefix than a typo. Any other word is more likely a typo,
    // if a known word is one typo away from it.
    const [asBeginning, asTypo] = isLast || typos.length === 0 ? [1, SECOND_CHOICE] : [SECOND_CHOICE, 1];
    const meanings = [...scaled(concept.meanings, asBeginning), ...meaningsOfGuesses(typos, asTypo)];
    return [conceptOf([typos[0]?.word ?? word], meanings)];
  }
  const oneTypo = guessed(typos);
  if (oneTypo) return [oneTypo];
  const parts = splitCompound(index, word);
  if (parts) return parts.map((part) => conceptOf([part]));
  return [guessed(guessesFor(index, word, 2)) ?? concept];
}

/**
 * Parses a query into concepts. Recognizes phrases, compounds, typos, foreign words, and words that were typed with a
 * space in the middle.
 */
export function conceptsOf(index: WordIndex, text: string): Concept[] {
  const concepts: Concept[] = [];
  let words = queryTokens(text);
  while (words.length > 0 && concepts.length < MAX_CONCEPTS) {
    const phrase = phraseAt(words);
    const one = phrase ? null : joined(index, words);
    if (phrase) concepts.push(conceptOf(phrase));
    else if (one) concepts.push(one);
    else concepts.push(...conceptsOfWord(index, words[0] ?? '', words.length === 1));
    words = words.slice(phrase?.length ?? (one ? 2 : 1));
  }
  return concepts;
}
