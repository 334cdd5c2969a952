import { isLibraryFont } from './font-library';
import type { ExportWarning, ProjectDocument } from './schema';
import { elementTexts, type SheetText, sheetTexts } from './sheet-texts';
import type { Sheet } from './sheets';

/** A font that a project uploaded, with its file in base64. */
export type ProjectFontFile = { name: string; bold: boolean; italic: boolean; base64: string };

/** Returns the distinct names of the fonts in `texts` that are not in the library. */
export function projectFontNames(texts: Pick<SheetText, 'font'>[]): string[] {
  const names = texts.map(({ font }) => font).filter((font) => font !== null);
  return [...new Set(names)].filter((font) => !isLibraryFont(font));
}

type WithFonts = Pick<ProjectDocument, 'cover' | 'contents' | 'masters' | 'pages'>;

/** Returns how many elements of a document have text in a font, and whether the cover and the contents use the font. */
export function fontUses({ cover, contents, masters, pages }: WithFonts, name: string) {
  const elements = [...masters, ...pages].flatMap((page) => page.elements);
  return {
    elements: elements.filter((element) => elementTexts(element).some(({ font }) => font === name)).length,
    cover: cover.font === name,
    contents: contents.font === name,
  };
}

/**
 * Returns the warnings about fonts that neither the library nor the project has. Each element, cover and contents sheet
 * gets its own warning for each such font that it uses. The warnings about a master are repeated for each sheet that
 * uses it.
 */
export function missingFonts(sheets: Sheet[], fonts: Pick<ProjectFontFile, 'name'>[]): ExportWarning[] {
  const fontNames = new Set(fonts.map(({ name }) => name));
  return sheets.flatMap((sheet) => {
    // Group by page or master too, because an element's id is unique only within its page or master.
    const locations = Map.groupBy(sheetTexts(sheet), ({ pageId, elementId }) =>
      JSON.stringify([pageId, elementId]),
    );
    return [...locations.values()].flatMap((texts) =>
      projectFontNames(texts)
        .filter((name) => !fontNames.has(name))
        .map((name) => ({
          code: 'missing_font' as const,
          pageId: texts[0]?.pageId ?? null,
          elementId: texts[0]?.elementId ?? null,
          message: `The project has no font “${name}”. The text is set in the standard font.`,
        })),
    );
  });
}
