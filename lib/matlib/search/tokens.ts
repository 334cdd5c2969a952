const fillers = new Set(
  (
    'a an and at by for from in of on or the to with ' +
    'aus auf der die das dem den des ein eine einem einer für fur im mit und von vom zum ' +
    'au aux avec d de du en et l la le les ou pour sur un une'
  ).split(' '),
);

/**
 * Removes a plural `s` and turns `ies` into `y`. The result need not be a real word, because the words in queries and
 * the words in the index are converted in the same way.
 */
function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !/(ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

/**
 * Returns the normalized words in `text`: lowercase, singular, without accents, and split at punctuation including `_`.
 */
export function tokens(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('œ', 'oe')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(singular);
}

/** Returns the words of a query without filler words. If the query contains only filler words, returns those. */
export function queryTokens(text: string): string[] {
  const all = [...new Set(tokens(text))];
  const telling = all.filter((word) => !fillers.has(word));
  return telling.length > 0 ? telling : all;
}

/** Returns the stem that an English word's forms share: `rust` for rusty and rusted, `til` for tile and tiling. */
export function stemOf(word: string): string {
  const bare = word.replace(/(?<=.{3})(ing|ed)$|(?<=.{4})en$|(?<=.{2}[^aeiou])y$/, '');
  const single = bare === word ? bare : bare.replace(/([^aeiousl])\1$/, '$1');
  return single.length > 3 ? single.replace(/e$/, '') : single;
}

/**
 * Returns the stem that a German or French word's forms share: `blanc` for blanc and blancs, `flies` for fliese and
 * fliesen.
 */
export function foreignStemOf(word: string): string {
  return word.replace(/(?<=.{4})(ern|en|er|es|em|e|n|s|x)$/, '');
}
