import { setTimeout as sleep } from 'node:timers/promises';

/** Returns a quantile of these values. `share` is between 0 and 1, for example 0.5 for the median. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Returns the milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/**
 * Times two functions in alternation and swaps their order each round, so that other load on the machine affects both
 * functions alike. Waits `restMs` after each call, so that background work of the call can finish before the next call
 * is timed. For each function, returns the durations of all its calls in milliseconds.
 */
export async function interleaved(
  rounds: number,
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
  restMs = 0,
): Promise<[one: number[], other: number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const first = round % 2;
    for (const which of [first, 1 - first] as const) {
      times[which === 0 ? 0 : 1].push(await timed(which === 0 ? one : other));
      if (restMs > 0) await sleep(restMs);
    }
  }
  return times;
}
