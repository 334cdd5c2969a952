/** The quotation marks of a language: around a quotation, and around a quotation within it. */
export type Quotes = { double: [open: string, close: string]; single: [open: string, close: string] };

const english: Quotes = { double: ['“', '”'], single: ['‘', '’'] };
const german: Quotes = { double: ['„', '“'], single: ['‚', '‘'] };
const guillemets: Quotes = { double: ['«', '»'], single: ['‘', '’'] };
const nordic: Quotes = { double: ['”', '”'], single: ['’', '’'] };
/** The quotation marks by the first part of a language tag. */
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

/**
 * Returns the quotation marks of a language by its BCP 47 tag, or the English ones if the table does not have the
 * language.
 */
export function quotesOf(language: string): Quotes {
  if (/^de-ch\b/i.test(language)) return { double: ['«', '»'], single: ['‹', '›'] };
  return quotes.get(language.toLowerCase().split('-')[0] ?? '') ?? english;
}

/** Returns the quotation mark for a typed `"` or `'`, given the character before it, which is empty at the start. */
export function smartQuote(typed: '"' | "'", before: string, language: string): string {
  const { double, single } = quotesOf(language);
  // After a letter or digit, a single quote is an apostrophe, which is the same in all languages.
  if (typed === "'" && /[\p{L}\p{N}]/u.test(before)) return '’';
  const followsOpening = [double, single].some(([open, close]) => open !== close && open === before);
  const opens = before === '' || followsOpening || /[\s\p{Pd}\p{Ps}]/u.test(before);
  return (typed === '"' ? double : single)[opens ? 0 : 1];
}
