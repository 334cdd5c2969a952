/** The first and last code point, inclusive. Lists of ranges are sorted, with gaps between the ranges. */
export type Range = [first: number, last: number];

/** The characters that document fonts can print. */
export type PrintedCharacters = {
  all: Range[];
  /**
   * The characters of the fonts that the document style sheet names. For any other character, the browser searches all
   * fonts. If the text also contains a character that no font has, the browser does not search, and every character
   * outside `named` is printed as an empty box.
   */
  named: Range[];
};

/** Returns whether the code point is in one of the ranges. */
export function isIn(ranges: readonly Range[], point: number): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [first = 0, last = 0] = ranges[middle] ?? [];
    if (point < first) high = middle;
    else if (point > last) low = middle + 1;
    else return true;
  }
  return false;
}

// Spaces, line breaks and formatting characters are never drawn, with or without a font.
const invisible = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]$/u;

/** Returns the characters that are printed as empty boxes in the standard fonts, in the order of the text. */
export function missingCharacters(text: string, { all, named }: PrintedCharacters): string[] {
  const lackedBy = (ranges: Range[]) =>
    [...text].filter(
      (character) => !isIn(ranges, character.codePointAt(0) ?? 0) && !invisible.test(character),
    );
  return lackedBy(all).length > 0 ? lackedBy(named) : [];
}

const NAMED = 10;

function nameOf(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  // The user's device may have a font for the character, so show the character unless it is private-use, unassigned or
  // a nonspacing mark.
  return /[\p{Co}\p{Cn}\p{Mn}]/u.test(character) ? code : `${character} (${code})`;
}

/** Returns a sentence about missing characters, such as `No font has the character Ω (U+03A9) on the cover.` */
export function missingCharactersMessage(missing: readonly string[], where = ''): string {
  const shown = missing.slice(0, NAMED).map(nameOf).join(', ');
  const rest = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '';
  return `No font has ${missing.length === 1 ? 'the character' : 'the characters'} ${shown}${rest}${where}.`;
}
