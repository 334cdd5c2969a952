import type { ExportWarning } from '@/lib/document/schema';
import { type SheetText, sheetTexts } from '@/lib/document/sheet-texts';
import type { Sheet } from '@/lib/document/sheets';
import { isIn, type Range } from './fonts/code-points';

const NAMED = 10;

// Spaces, line breaks and formatting characters are never drawn, with or without a font.
const invisible = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]$/u;

function missingIn(text: string, printed: Range[]): string[] {
  return [...text].filter(
    (character) => !isIn(printed, character.codePointAt(0) ?? 0) && !invisible.test(character),
  );
}

function nameOf(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  // The reader's machine may have a font for the character, so show it unless it is private, unassigned or combining.
  return /[\p{Co}\p{Cn}\p{Mn}]/u.test(character) ? code : `${character} (${code})`;
}

function wordsFor(sheet: Sheet, missing: string[]): string {
  const where = { cover: ' on the cover', contents: ' in the contents', page: '' }[sheet.kind];
  const named = missing.slice(0, NAMED).map(nameOf).join(', ');
  const rest = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '';
  return `No font has ${missing.length === 1 ? 'the character' : 'the characters'} ${named}${rest}${where}. Empty boxes are printed instead.`;
}

/**
 * Returns a warning for each element whose text has characters that no font covers. `printed` are the characters that
 * the fonts cover.
 */
export function missingGlyphs(sheets: Sheet[], printed: Range[]): ExportWarning[] {
  return sheets.flatMap((sheet) => {
    const places = Map.groupBy(sheetTexts(sheet), ({ pageId, elementId }: SheetText) =>
      JSON.stringify([pageId, elementId]),
    );
    return [...places.values()].flatMap((texts) => {
      const missing = [...new Set(texts.flatMap(({ text }) => missingIn(text, printed)))];
      if (missing.length === 0) return [];
      const message = wordsFor(sheet, missing);
      const { pageId = null, elementId = null } = texts[0] ?? {};
      return [{ code: 'missing_glyph' as const, pageId, elementId, message }];
    });
  });
}
