const fillers = new Set(
  (
    'a an and at by for from in of on or the to with ' +
    'aus auf der die das dem den des ein eine einem einer für fur im mit und von vom zum ' +
    'au aux avec d de du en et l la le les ou pour sur un une'
  ).split(' '),
);

/** One spelling for singular and plural; it only has to be the same for query and index, not correct. */
function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !/(ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

/** The normalized words of a text: lower case, without accents, split at all punctuation and `_`. */
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

/** The words of a query without filler words, unless there is nothing else. */
export function queryTokens(text: string): string[] {
  const all = [...new Set(tokens(text))];
  const telling = all.filter((word) => !fillers.has(word));
  return telling.length > 0 ? telling : all;
}

/** The common stem of the forms of an English word: `rust` for rusty and rusted, `til` for tile, tiled and tiling. */
export function stemOf(word: string): string {
  const bare = word.replace(/(?<=.{3})(ing|ed)$|(?<=.{4})en$|(?<=.{2}[^aeiou])y$/, '');
  const single = bare === word ? bare : bare.replace(/([^aeiousl])\1$/, '$1');
  return single.length > 3 ? single.replace(/e$/, '') : single;
}

/** The common stem of the forms of a German or French word: `fliese` and `fliesen`, `blanc` and `blancs`. */
export function foreignStemOf(word: string): string {
  return word.replace(/(?<=.{4})(ern|en|er|es|em|e|n|s|x)$/, '');
}
