/**
 * Parses `Retry-After` in either form, seconds or an HTTP date. Returns the milliseconds to wait from `now`, between 0
 * and `longestMs`, or null if the header is missing or invalid.
 */
export function parseRetryAfter(value: string | null, now: number, longestMs: number): number | null {
  const header = value?.trim();
  if (!header) return null;
  if (/^\d{1,9}$/.test(header)) return Math.min(Number(header) * 1000, longestMs);
  // An HTTP date starts with letters. `Date.parse` alone would also accept "-5" and "1.5", which are not dates.
  if (!/^[A-Za-z]{3},? /.test(header)) return null;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.min(Math.max(at - now, 0), longestMs);
}
