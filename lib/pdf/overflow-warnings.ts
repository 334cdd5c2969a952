import type { ExportWarning } from '@/lib/document/schema';
import type { Printed } from './print-html';

/** Warnings for elements whose content is larger than their frames. */
export function overflowWarnings(overflows: Printed['overflows']): ExportWarning[] {
  const message = 'The content does not fit its frame; the overflow is not printed.';
  return overflows.map((place) => ({ code: 'text_overflow', ...place, message }));
}
