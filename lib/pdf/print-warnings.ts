import { fontOfCssName } from '@/lib/document/font-library';
import type { ExportWarning } from '@/lib/document/schema';
import type { PrintProblems } from './print-html';

/**
 * Returns a warning for each element whose content does not fit its frame, for cover text that does not fit its sheet,
 * and for each font that the browser refuses.
 */
export function printWarnings({ overflows, refusedFonts }: PrintProblems): ExportWarning[] {
  return [
    ...overflows.map((overflow) => {
      const what =
        overflow.elementId === null
          ? "The cover's text does not fit its sheet"
          : 'The content does not fit its frame';
      const message = `${what}; the overflow is not printed.`;
      return { code: 'text_overflow' as const, ...overflow, message };
    }),
    ...refusedFonts.map((family) => ({
      code: 'missing_font' as const,
      pageId: null,
      elementId: null,
      message: `A file of the font “${fontOfCssName(family)}” is damaged. The text is set in another font. Upload the file again.`,
    })),
  ];
}
