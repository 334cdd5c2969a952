import {
  isIn,
  missingCharacters,
  missingCharactersMessage,
  type PrintedCharacters,
  type Range,
} from '@/lib/document/printed-characters';
import type { ProjectFontFile } from '@/lib/document/project-fonts';
import type { ExportWarning } from '@/lib/document/schema';
import { type SheetText, sheetTexts } from '@/lib/document/sheet-texts';
import type { Sheet } from '@/lib/document/sheets';

/** One style of a font that a project uploaded, and the characters that it contains. */
export type FontCoverage = Omit<ProjectFontFile, 'base64'> & { ranges: Range[] };

/** Returns the characters that a text's own font contains, in the text's style or the closest one that the font has. */
function ownCharacters({ font, bold, italic }: SheetText, fonts: readonly FontCoverage[]): Range[] {
  const family = fonts.filter(({ name }) => name === font);
  const inSlope = family.filter((face) => face.italic === italic);
  const closest = inSlope.length > 0 ? inSlope : family;
  return (closest.find((face) => face.bold === bold) ?? closest[0])?.ranges ?? [];
}

function warningText(sheet: Sheet, missing: string[]): string {
  const where = { cover: ' on the cover', contents: ' in the contents', page: '' }[sheet.kind];
  return `${missingCharactersMessage(missing, where)} Empty boxes are printed instead.`;
}

/**
 * Returns a warning for each element, page footer, cover and contents sheet whose text contains characters that are
 * printed as empty boxes. `fonts` are the project fonts that the sheets use.
 */
export function missingGlyphs(
  sheets: Sheet[],
  printed: PrintedCharacters,
  fonts: readonly FontCoverage[],
): ExportWarning[] {
  const missingIn = (text: SheetText) => {
    const own = ownCharacters(text, fonts);
    const rest = [...text.text].filter((character) => !isIn(own, character.codePointAt(0) ?? 0));
    return missingCharacters(rest.join(''), printed);
  };
  return sheets.flatMap((sheet) => {
    const locations = Map.groupBy(sheetTexts(sheet), ({ pageId, elementId }: SheetText) =>
      JSON.stringify([pageId, elementId]),
    );
    return [...locations.values()].flatMap((texts) => {
      const missing = [...new Set(texts.flatMap(missingIn))];
      if (missing.length === 0) return [];
      const message = warningText(sheet, missing);
      const { pageId = null, elementId = null } = texts[0] ?? {};
      return [{ code: 'missing_glyph' as const, pageId, elementId, message }];
    });
  });
}
