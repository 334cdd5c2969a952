import type { Printed } from './print-html';
import type { ExportWarning } from './schema';

/** Says of elements that what they hold is larger than their frames. */
export function overflowWarnings(overflows: Printed['overflows']): ExportWarning[] {
  const message = 'The content does not fit its frame; what hangs over is not printed.';
  return overflows.map((place) => ({ code: 'text_overflow', ...place, message }));
}
