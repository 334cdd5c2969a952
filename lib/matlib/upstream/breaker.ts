import type { Clock } from '../clock';
import { UpstreamError } from './error';

const FAILURES_TO_OPEN = 5;
const OPEN_MS = 30_000;

/**
 * Creates a circuit breaker. After five failures without a success in between, it blocks all calls for 30 s and then
 * allows a single call as a probe. `coolDown` also blocks all calls, for a given time.
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
    /** Starts a call. Throws `limited` or `open` if no call is allowed now. */
    enter(): void {
      refuseWhile(coolUntil, 'limited', 'the service asked us to wait');
      refuseWhile(openUntil, 'open', 'the service failed too often');
      if (failures < FAILURES_TO_OPEN) return;
      if (probing) throw new UpstreamError('open', 'a probe is in progress', { retryAfterMs: 1_000 });
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
    /** Finishes a call whose result says nothing about the health of the service. */
    leave(): void {
      probing = false;
    },
    coolDown(ms: number): void {
      coolUntil = Math.max(coolUntil, clock.now() + ms);
    },
  };
}
export type Breaker = ReturnType<typeof createBreaker>;
