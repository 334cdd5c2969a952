import type { Clock } from '../clock';
import { UpstreamError } from './error';

export type LimiterOptions = {
  perSecond: number;
  burst: number;
  /** The maximum number of concurrent calls. */
  atOnce: number;
  /** The maximum number of waiting calls. */
  queue: number;
  /** The maximum time that a call waits, in milliseconds. */
  waitMs: number;
};

export const politeLimits: LimiterOptions = { perSecond: 5, burst: 10, atOnce: 4, queue: 50, waitMs: 3_000 };

type Waiting = { start: () => void; giveUpAt: number; refuse: () => void };

/**
 * Returns a function that runs tasks, at most `atOnce` at a time and no faster than a token bucket allows. The function
 * throws `busy` when the queue is full or the wait exceeds `waitMs`.
 */
export function createLimiter(options: LimiterOptions, clock: Clock) {
  const waiting: Waiting[] = [];
  let tokens = options.burst;
  let filledAt = clock.now();
  let underWay = 0;
  /** The time at which the latest timer fires, in milliseconds since 1970. Infinity if it has fired or none was set. */
  let wakeAt = Number.POSITIVE_INFINITY;

  function refill(): void {
    const now = clock.now();
    tokens = Math.min(options.burst, tokens + ((now - filledAt) / 1000) * options.perSecond);
    filledAt = now;
  }

  function startAllowed(): void {
    refill();
    const now = clock.now();
    while (waiting[0] && waiting[0].giveUpAt < now) waiting.shift()?.refuse();
    // The tolerance allows for rounding. For example, ten refills of 0.1 tokens add up to slightly less than one token.
    while (waiting.length > 0 && underWay < options.atOnce && tokens > 1 - 1e-6) {
      tokens -= 1;
      underWay += 1;
      waiting.shift()?.start();
    }
    if (waiting.length > 0) wakeLater();
  }

  function wakeLater(): void {
    const untilToken = Math.ceil(((1 - tokens) / options.perSecond) * 1000);
    const untilRefusal = (waiting[0]?.giveUpAt ?? 0) - clock.now() + 1;
    const pause = Math.max(1, tokens < 1 ? Math.min(untilToken, untilRefusal) : untilRefusal);
    const at = clock.now() + pause;
    if (wakeAt <= at) return;
    wakeAt = at;
    void clock.sleep(pause).then(() => {
      if (wakeAt === at) wakeAt = Number.POSITIVE_INFINITY;
      startAllowed();
    });
  }

  const busy = () =>
    new UpstreamError('busy', 'too many calls are waiting', { retryAfterMs: options.waitMs });

  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (waiting.length >= options.queue) throw busy();
    await new Promise<void>((start, reject) => {
      waiting.push({ start, giveUpAt: clock.now() + options.waitMs, refuse: () => reject(busy()) });
      startAllowed();
    });
    try {
      return await task();
    } finally {
      underWay -= 1;
      startAllowed();
    }
  };
}
