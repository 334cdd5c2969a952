const LITERAL = /^[\x20-\x7e]*$/;

/** Encodes text as a PDF string (ISO 32000-1, 7.9.2): literal if it is printable ASCII, else UTF-16 with a BOM. */
export function pdfText(text: string): string {
  if (LITERAL.test(text)) return `(${text.replace(/[\\()]/g, '\\$&')})`;
  return `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`;
}

/** Formats a length or coordinate in points, rounded to a hundredth. */
export function pdfNumber(value: number): string {
  return String(Math.round(value * 100) / 100);
}

// Strings are matched too, so that nothing inside them counts as another token.
const TOKEN =
  /\((?:[^()\\]|\\[\s\S])*\)|\b(\d+) 0 R\b|\/(StructParents?) (\d+)|\/([A-Z]{4})[A-Z]{2}\+|\b(\d+) 0 obj\n/g;

export type Rename = {
  /** Maps an object's number to its new number. */
  object: (number: number) => number;
  /** Offset to add to the keys of the parent tree (14.7.4.4). */
  structureKeys: number;
  /**
   * Two capital letters that replace the last two letters of each font tag, because subsets of one font must not share
   * a tag in a file (9.6.4).
   */
  fontTag: string;
  /** Maps a string literal, including its parentheses, to a new literal. */
  string: (literal: string) => string;
};

/**
 * Returns the text of an object without its `n 0 obj` line. Rewrites its references, structure keys, font tags and
 * strings for the joined file.
 */
export function renamed(text: string, { object, structureKeys, fontTag, string }: Rename): string {
  return text.replace(TOKEN, (match, ref, structure, key, tag, own) => {
    if (ref !== undefined) return `${object(Number(ref))} 0 R`;
    if (structure !== undefined) return `/${structure} ${Number(key) + structureKeys}`;
    if (tag !== undefined) return `/${tag}${fontTag}+`;
    if (own !== undefined) return '';
    return string(match);
  });
}
