import type { Oklab } from '../color/oklab';
import { oklabOf } from '../color/oklab';
import { type Swatch, swatches } from '../schema';
import { foreignStemOf, queryTokens, stemOf } from './tokens';
import { colorNames } from './words/colors';
import { meantInEnglish, sameInEnglish } from './words/english';
import { french } from './words/french';
import { german } from './words/german';

/**
 * A possible meaning of a word or phrase in a query. If the meaning has several words, an item that lacks any of them
 * scores much lower. `weight` is at most 1.
 */
export type Meaning = { words: string[]; weight: number };

export type ColorMeaning = {
  /** The OKLab values of the color itself, and of the shades that name it as their first parent. */
  labs: Oklab[];
  /** The swatch with this name, or null. */
  swatch: Swatch | null;
  /** Whether the color's name is primarily the name of a material or object, such as sand. */
  isThing: boolean;
};

type Entry = { close: string[][]; near: string[][] };

const SAME = 0.85;
const CLOSE = 0.8;
const LATER_STEP = 0.06;
const NEAR = 0.3;
const PARENT = 0.55;
const CHILD = 0.55;
const CHILD_THING = 0.4;

const keyOf = (words: string[]) => words.join(' ');
const lines = (text: string) => text.split('\n').filter((line) => line !== '');
const list = (text = '') =>
  text
    .split(',')
    .map((part) => queryTokens(part))
    .filter((words) => words.length > 0);

/**
 * Parses lines of the form `words: close; near`. `close` lists the meanings of the words, and `near` lists related
 * words. Later lines for the same word add to earlier ones.
 */
function tableOf(text: string): Map<string, Entry> {
  const table = new Map<string, Entry>();
  for (const line of lines(text)) {
    const [names, meanings = ''] = line.split(':');
    const [close, near] = meanings.split(';');
    for (const name of list(names)) {
      const known = table.get(keyOf(name)) ?? { close: [], near: [] };
      table.set(keyOf(name), {
        close: [...known.close, ...list(close)],
        near: [...known.near, ...list(near)],
      });
    }
  }
  return table;
}

/** If the text contains umlauts, adds a second line that spells them out, such as `ae` for `ä`. */
function withoutUmlauts(text: string): string {
  const spelled = text.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue');
  return spelled === text ? text : `${text}\n${spelled}`;
}

const sameWords = new Map<string, string[][]>();
for (const line of lines(sameInEnglish)) {
  const group = list(line);
  for (const one of group) {
    const others = group.filter((other) => other !== one);
    sameWords.set(keyOf(one), [...(sameWords.get(keyOf(one)) ?? []), ...others]);
  }
}

const english = tableOf(meantInEnglish);
const foreign = [lines(german).map(withoutUmlauts).join('\n'), french].map(tableOf);
/** Foreign words by stem. */
const foreignStems = new Map<string, string>();
for (const table of foreign) {
  for (const key of table.keys()) if (!key.includes(' ')) foreignStems.set(foreignStemOf(key), key);
}

type ColorLine = {
  names: string[][];
  parents: string[][];
  kinds: ColorLine[];
  meaning: ColorMeaning;
};
const colors = new Map<string, ColorLine>();
for (const line of lines(colorNames).map((one) => one.split(':'))) {
  const [names = '', rest = ''] = line;
  const hex = /#([0-9a-f]{6})/.exec(rest)?.[1] ?? '';
  const value = Number.parseInt(hex, 16);
  const first = names.split(',')[0] ?? '';
  const color: ColorLine = {
    names: [...list(names), ...list(withoutUmlauts(names).split('\n')[1])],
    parents: list(rest.split('>')[1]),
    kinds: [],
    meaning: {
      labs: [oklabOf(value >> 16, (value >> 8) & 255, value & 255)],
      swatch: Object.hasOwn(swatches, first) ? (first as Swatch) : null,
      isThing: rest.includes('?'),
    },
  };
  for (const name of color.names) if (!colors.has(keyOf(name))) colors.set(keyOf(name), color);
  for (const [i, parent] of color.parents.map((name) => colors.get(keyOf(name))).entries()) {
    parent?.kinds.push(color);
    if (i === 0) parent?.meaning.labs.push(...color.meaning.labs);
  }
}

/** English words and color names by stem, so that `upholstered` finds `upholstery`. */
const englishStems = new Map<string, string>();
for (const key of [...sameWords.keys(), ...english.keys(), ...colors.keys()]) {
  if (!key.includes(' ') && !englishStems.has(stemOf(key))) englishStems.set(stemOf(key), key);
}

/** Returns the listed word that `key` is a form of, or `key` itself if it is listed or unknown. */
function englishKeyOf(key: string): string {
  const isListed = sameWords.has(key) || english.has(key) || colors.has(key);
  return isListed || key.includes(' ') ? key : (englishStems.get(stemOf(key)) ?? key);
}

function add(meanings: Map<string, Meaning>, words: string[], weight: number): void {
  const key = keyOf(words);
  if ((meanings.get(key)?.weight ?? 0) < weight) meanings.set(key, { words, weight });
}

function addEnglish(meanings: Map<string, Meaning>, words: string[], weight: number): void {
  add(meanings, words, weight);
  const key = englishKeyOf(keyOf(words));
  for (const other of sameWords.get(key) ?? []) add(meanings, other, weight * SAME);
  const entry = english.get(key);
  for (const [i, close] of (entry?.close ?? []).entries()) {
    add(meanings, close, weight * Math.max(0.6, CLOSE - i * LATER_STEP));
    for (const other of sameWords.get(keyOf(close)) ?? []) add(meanings, other, weight * 0.6);
  }
  for (const near of entry?.near ?? []) add(meanings, near, weight * NEAR);
}

/** Returns the listed foreign word that `key` is a form of, `key` itself if it is listed, or null if it is unknown. */
function foreignKeyOf(key: string): string | null {
  const stem = foreignStemOf(key);
  const listed = [key, stem].find((one) => foreign.some((table) => table.has(one)));
  return listed ?? foreignStems.get(stem) ?? null;
}

function colorKeyOf(key: string): string | null {
  return [key, englishKeyOf(key), foreignStemOf(key)].find((one) => colors.has(one)) ?? null;
}

/** Returns the color that a word or phrase names, or null. */
export function colorOf(words: string[]): ColorMeaning | null {
  const key = colorKeyOf(keyOf(words));
  return key === null ? null : (colors.get(key)?.meaning ?? null);
}

/**
 * Returns whether the dictionaries contain a word or phrase. Unless `exactly` is set, also accepts inflected forms.
 */
export function isListed(words: string[], exactly = false): boolean {
  const key = keyOf(words);
  if (sameWords.has(key) || english.has(key) || colors.has(key)) return true;
  if (foreign.some((table) => table.has(key))) return true;
  return !exactly && (englishKeyOf(key) !== key || foreignKeyOf(key) !== null || colorKeyOf(key) !== null);
}

/** Returns all single words in the dictionaries. */
export function listedWords(): string[] {
  const tables = [sameWords, english, colors, ...foreign];
  return [...new Set(tables.flatMap((table) => [...table.keys()]))].filter((key) => !key.includes(' '));
}

/** Returns what a word or phrase can mean in the library's vocabulary. The first meaning is the words themselves. */
export function meaningsOf(words: string[]): Meaning[] {
  const meanings = new Map<string, Meaning>();
  addEnglish(meanings, words, 1);
  const foreignKey = foreignKeyOf(keyOf(words));
  for (const table of foreignKey === null ? [] : foreign) {
    const entry = table.get(foreignKey ?? '');
    for (const [i, close] of (entry?.close ?? []).entries()) {
      addEnglish(meanings, close, Math.max(0.7, 1 - i * LATER_STEP));
    }
    for (const near of entry?.near ?? []) add(meanings, near, NEAR);
  }
  const color = colors.get(colorKeyOf(keyOf(words)) ?? '');
  for (const name of color?.names ?? []) add(meanings, name, SAME);
  for (const parent of color?.parents ?? []) add(meanings, parent, PARENT);
  for (const { names, meaning } of color?.kinds ?? []) {
    for (const name of names) add(meanings, name, meaning.isThing ? CHILD_THING : CHILD);
  }
  return [...meanings.values()];
}
