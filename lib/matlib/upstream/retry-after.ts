const LONGEST_MS = 5 * 60_000;

/**
 * Reads `Retry-After` in either form, seconds or an HTTP date. Answers milliseconds from `now`, 0 to 5 minutes;
 * null when there is none or it makes no sense.
 */
export function parseRetryAfter(value: string | null, now: number): number | null {
  const given = value?.trim();
  if (!given) return null;
  if (/^\d{1,9}$/.test(given)) return Math.min(Number(given) * 1000, LONGEST_MS);
  // A date has letters; anything else that Date.parse would take ("-5", "1.5") is not one.
  if (!/^[A-Za-z]{3},? /.test(given)) return null;
  const at = Date.parse(given);
  return Number.isNaN(at) ? null : Math.min(Math.max(at - now, 0), LONGEST_MS);
}
