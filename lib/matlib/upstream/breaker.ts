import type { Clock } from '@/lib/matlib/clock';
import { UpstreamError } from './error';

const FAILURES_TO_OPEN = 5;
const OPEN_MS = 30_000;

/**
 * Leaves a service alone that failed five times in a row: for 30 s no call goes out, then one goes ahead as a probe.
 * Its own pauses (`coolDown`) hold every call back as well.
 */
export function createBreaker(clock: Clock) {
  let failures = 0;
  let openUntil = 0;
  let coolUntil = 0;
  let probing = false;

  function refuseWhile(until: number, failure: 'limited' | 'open', message: string): void {
    const left = until - clock.now();
    if (left > 0) throw new UpstreamError(failure, message, { retryAfterMs: left });
  }

  return {
    /** Throws `limited` or `open` when no call may go out now; otherwise the call counts as begun. */
    enter(): void {
      refuseWhile(coolUntil, 'limited', 'it asked us to come back later');
      refuseWhile(openUntil, 'open', 'it failed too often just now');
      if (failures < FAILURES_TO_OPEN) return;
      if (probing) throw new UpstreamError('open', 'a probe is under way', { retryAfterMs: 1_000 });
      probing = true;
    },
    succeed(): void {
      failures = 0;
      probing = false;
    },
    fail(): void {
      failures += 1;
      probing = false;
      if (failures >= FAILURES_TO_OPEN) openUntil = clock.now() + OPEN_MS;
    },
    /** A call that says nothing about the health of the service has ended. */
    leave(): void {
      probing = false;
    },
    coolDown(ms: number): void {
      coolUntil = Math.max(coolUntil, clock.now() + ms);
    },
  };
}
export type Breaker = ReturnType<typeof createBreaker>;
