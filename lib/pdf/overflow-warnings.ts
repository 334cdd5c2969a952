import type { ExportWarning } from '@/lib/document/schema';
import type { Printed } from './print-html';

/**
 * Returns a warning for each element whose content does not fit its frame, and for cover text that does not fit its
 * sheet.
 */
export function overflowWarnings(overflows: Printed['overflows']): ExportWarning[] {
  return overflows.map((overflow) => {
    const what =
      overflow.elementId === null
        ? "The cover's text does not fit its sheet"
        : 'The content does not fit its frame';
    return { code: 'text_overflow', ...overflow, message: `${what}; the overflow is not printed.` };
  });
}
