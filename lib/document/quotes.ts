/** The quotation marks of a language. `double` encloses a quotation, and `single` a quotation within a quotation. */
export type Quotes = { double: [open: string, close: string]; single: [open: string, close: string] };

const english: Quotes = { double: ['“', '”'], single: ['‘', '’'] };
const german: Quotes = { double: ['„', '“'], single: ['‚', '‘'] };
const guillemets: Quotes = { double: ['«', '»'], single: ['‘', '’'] };
const nordic: Quotes = { double: ['”', '”'], single: ['’', '’'] };
/** The quotation marks, keyed by primary language subtag. */
const quotes = new Map<string, Quotes>([
  ['da', { double: ['»', '«'], single: ['›', '‹'] }],
  ['de', german],
  ['es', { double: ['«', '»'], single: ['“', '”'] }],
  ['fi', nordic],
  ['fr', { double: ['«\u202f', '\u202f»'], single: ['“', '”'] }],
  ['it', { double: ['«', '»'], single: ['“', '”'] }],
  ['nb', guillemets],
  ['nn', guillemets],
  ['no', guillemets],
  ['pl', { double: ['„', '”'], single: ['‚', '’'] }],
  ['sv', nordic],
]);

/** Returns the quotation marks for a BCP 47 language tag. Languages that are not listed above get the English ones. */
export function quotesOf(language: string): Quotes {
  if (/^de-ch\b/i.test(language)) return { double: ['«', '»'], single: ['‹', '›'] };
  return quotes.get(language.toLowerCase().split('-')[0] ?? '') ?? english;
}

/**
 * Returns the quotation mark for a typed `"` or `'`. `before` is the preceding character, or empty at the start of the
 * text.
 */
export function smartQuote(typed: '"' | "'", before: string, language: string): string {
  const { double, single } = quotesOf(language);
  // After a letter or digit, treat a single quote as an apostrophe, which is the same character in all languages.
  if (typed === "'" && /[\p{L}\p{N}]/u.test(before)) return '’';
  const followsOpening = [double, single].some(([open, close]) => open !== close && open === before);
  const opens = before === '' || followsOpening || /[\s\p{Pd}\p{Ps}]/u.test(before);
  return (typed === '"' ? double : single)[opens ? 0 : 1];
}
