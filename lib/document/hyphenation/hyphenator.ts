import type { Patterns } from 'hypher';

/** Returns the text with soft hyphens where its words can be broken. */
export type Hyphenate = (text: string) => string;

const english = () => import('hyphenation.en-us');
const british = () => import('hyphenation.en-gb');
const norwegian = () => import('hyphenation.nb-no');
/**
 * Functions that load the hyphenation patterns, keyed by lowercase language tag. Each language is loaded on its own,
 * because a document needs only one.
 */
const patterns = new Map<string, () => Promise<{ default: Patterns }>>([
  ['da', () => import('hyphenation.da')],
  ['de', () => import('hyphenation.de')],
  ['en', english],
  ['en-au', british],
  ['en-gb', british],
  ['en-ie', british],
  ['en-nz', british],
  ['es', () => import('hyphenation.es')],
  ['fi', () => import('hyphenation.fi')],
  ['fr', () => import('hyphenation.fr')],
  ['it', () => import('hyphenation.it')],
  ['nb', norwegian],
  ['nl', () => import('hyphenation.nl')],
  ['nn', norwegian],
  ['no', norwegian],
  ['pl', () => import('hyphenation.pl')],
  ['pt', () => import('hyphenation.pt')],
  ['sv', () => import('hyphenation.sv')],
]);

const SOFT_HYPHEN = '\u00ad';
/** Matches tokens that look like a URL, an email address or a file name. Such tokens are not hyphenated. */
const address = /[/@\\_]|\.\p{L}/u;

function hyphenateWord(word: string, parts: (word: string) => string[]): string {
  const isFixed = word.includes(SOFT_HYPHEN) || word.toLowerCase().length !== word.length;
  return isFixed ? word : parts(word).join(SOFT_HYPHEN);
}

async function load(get: () => Promise<{ default: Patterns }>): Promise<Hyphenate> {
  const [{ default: Hypher }, { default: found }] = await Promise.all([import('hypher'), get()]);
  const hypher = new Hypher(found);
  const parts = (word: string) => hypher.hyphenate(word);
  return (text) =>
    text.replace(/\S+/g, (token) =>
      address.test(token)
        ? token
        : token.replace(/[\p{L}\p{M}\u00ad]{5,}/gu, (word) => hyphenateWord(word, parts)),
    );
}

const loaded = new Map<() => Promise<{ default: Patterns }>, Promise<Hyphenate>>();

/**
 * Returns the hyphenator for a BCP 47 language tag, or null if there are no patterns for the language. Rejects if the
 * patterns cannot be loaded. The hyphenator is used both on screen and in print, because the printing browser cannot
 * hyphenate and users' browsers do not all hyphenate alike.
 */
export async function hyphenatorOf(language: string): Promise<Hyphenate | null> {
  const tag = language.toLowerCase();
  const get = patterns.get(tag) ?? patterns.get(tag.split('-')[0] ?? '');
  if (!get) return null;
  const loading = loaded.get(get) ?? load(get);
  loaded.set(get, loading);
  loading.catch(() => loaded.delete(get));
  return loading;
}
