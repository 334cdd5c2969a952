import {
  missingCharacters,
  missingCharactersMessage,
  type PrintedCharacters,
} from '@/lib/document/printed-characters';
import type { ExportWarning } from '@/lib/document/schema';
import { type SheetText, sheetTexts } from '@/lib/document/sheet-texts';
import type { Sheet } from '@/lib/document/sheets';

function warningText(sheet: Sheet, missing: string[]): string {
  const where = { cover: ' on the cover', contents: ' in the contents', page: '' }[sheet.kind];
  return `${missingCharactersMessage(missing, where)} Empty boxes are printed instead.`;
}

/**
 * Returns a warning for each element, page footer, cover and contents sheet whose text contains characters that are
 * printed as empty boxes.
 */
export function missingGlyphs(sheets: Sheet[], printed: PrintedCharacters): ExportWarning[] {
  return sheets.flatMap((sheet) => {
    const locations = Map.groupBy(sheetTexts(sheet), ({ pageId, elementId }: SheetText) =>
      JSON.stringify([pageId, elementId]),
    );
    return [...locations.values()].flatMap((texts) => {
      const missing = [...new Set(texts.flatMap(({ text }) => missingCharacters(text, printed)))];
      if (missing.length === 0) return [];
      const message = warningText(sheet, missing);
      const { pageId = null, elementId = null } = texts[0] ?? {};
      return [{ code: 'missing_glyph' as const, pageId, elementId, message }];
    });
  });
}
