const MINUTE_MS = 60_000;
/** Maximum number of writes that a limiter allows per minute and reason. Further refusals are only counted. */
const WRITES_A_MINUTE = 60;

type Count = { minute: number; written: number; missed: number };

/**
 * Limits how often refusals are written. The returned function takes the reason for a refusal. It returns 0 if the
 * refusal must not be written. Otherwise, it returns the number of refusals to write: this one plus the earlier
 * unwritten ones with the same reason.
 */
export function makeWriteLimiter(now: () => number = Date.now): (reason: string) => number {
  const counts = new Map<string, Count>();
  return (reason) => {
    const minute = Math.floor(now() / MINUTE_MS);
    const known = counts.get(reason) ?? { minute, written: 0, missed: 0 };
    const count = known.minute === minute ? known : { minute, written: 0, missed: known.missed };
    counts.set(reason, count);
    if (count.written >= WRITES_A_MINUTE) {
      count.missed += 1;
      return 0;
    }
    const times = 1 + count.missed;
    count.written += 1;
    count.missed = 0;
    return times;
  };
}
