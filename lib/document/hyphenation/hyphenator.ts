import type { Exceptions, Patterns } from 'hyphen';

/** Returns the text with soft hyphens where its words can be broken. */
export type Hyphenate = (text: string) => string;

/** `endMin` is the minimum number of characters after a hyphen. */
type Language = { load: () => Promise<{ default: Patterns }>; endMin: number };

const american: Language = { load: () => import('hyphen/patterns/en-us.js'), endMin: 3 };
const british: Language = { load: () => import('hyphen/patterns/en-gb.js'), endMin: 3 };
const norwegian: Language = { load: () => import('hyphen/patterns/nb.js'), endMin: 2 };
/**
 * The languages with hyphenation, keyed by lowercase language tag. The patterns of each language are loaded on their
 * own, because a document needs only one language.
 */
const languages = new Map<string, Language>([
  ['da', { load: () => import('hyphen/patterns/da.js'), endMin: 2 }],
  ['de', { load: () => import('hyphen/patterns/de-1996.js'), endMin: 2 }],
  ['en', american],
  ['en-au', british],
  ['en-gb', british],
  ['en-ie', british],
  ['en-nz', british],
  ['es', { load: () => import('hyphen/patterns/es.js'), endMin: 2 }],
  ['fi', { load: () => import('hyphen/patterns/fi.js'), endMin: 2 }],
  ['fr', { load: () => import('hyphen/patterns/fr.js'), endMin: 3 }],
  ['it', { load: () => import('hyphen/patterns/it.js'), endMin: 2 }],
  ['nb', norwegian],
  ['nl', { load: () => import('hyphen/patterns/nl.js'), endMin: 2 }],
  ['nn', norwegian],
  ['no', norwegian],
  ['pl', { load: () => import('hyphen/patterns/pl.js'), endMin: 2 }],
  ['pt', { load: () => import('hyphen/patterns/pt.js'), endMin: 4 }],
  ['sv', { load: () => import('hyphen/patterns/sv.js'), endMin: 2 }],
]);

const SOFT_HYPHEN = '\u00ad';
/** Matches tokens that look like a URL, an email address or a file name. Such tokens are not hyphenated. */
const address = /[/@\\_]|\.\p{L}/u;

/** Returns `word` with the soft hyphens of `hyphenated`, which is `word` in lowercase with soft hyphens. */
function withHyphensOf(hyphenated: string, word: string, endMin: number): string {
  let text = '';
  let at = 0;
  for (const unit of hyphenated.split('')) {
    if (unit !== SOFT_HYPHEN) {
      text += word[at];
      at += 1;
    } else if (word.length - at >= endMin) {
      text += SOFT_HYPHEN;
    }
  }
  return text;
}

async function load({ load, endMin }: Language): Promise<Hyphenate> {
  const [{ default: createHyphenator }, { default: patterns }] = await Promise.all([
    import('hyphen'),
    load(),
  ]);
  const [levels, trie, found = {}] = patterns;
  // The package counts the hyphens before a break in an exception as characters of the word.
  const exceptions: Exceptions = Object.fromEntries(
    Object.entries(found).map(([word, breaks]) => [word, breaks.map((at, hyphens) => at - hyphens)]),
  );
  return (text) => {
    // A hyphenator keeps every word that it has seen, so each text gets its own.
    const hyphenate = createHyphenator([levels, trie, { ...exceptions }], { html: false });
    const hyphenateWord = (word: string) => {
      // The package lowercases words by the rules of the user's language, so it gets them in lowercase.
      const lowercase = word.toLowerCase();
      const isFixed = word.includes(SOFT_HYPHEN) || lowercase.length !== word.length;
      return isFixed ? word : withHyphensOf(hyphenate(lowercase), word, endMin);
    };
    return text.replace(/\S+/g, (token) =>
      address.test(token) ? token : token.replace(/[\p{L}\p{M}\u00ad]{5,}/gu, hyphenateWord),
    );
  };
}

const loaded = new Map<Language, Promise<Hyphenate>>();

/**
 * Returns the hyphenator for a BCP 47 language tag, or null if there are no patterns for the language. Rejects if the
 * patterns cannot be loaded. The hyphenator is used both on screen and in print, because the printing browser cannot
 * hyphenate and users' browsers do not all hyphenate alike.
 */
export async function hyphenatorOf(language: string): Promise<Hyphenate | null> {
  const tag = language.toLowerCase();
  const found = languages.get(tag) ?? languages.get(tag.split('-')[0] ?? '');
  if (!found) return null;
  const loading = loaded.get(found) ?? load(found);
  loaded.set(found, loading);
  loading.catch(() => loaded.delete(found));
  return loading;
}
