/** The value that this share of the numbers does not exceed. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/**
 * Times two things in turns, the other one first each time, so that whatever else the machine does meets both.
 * Answers the milliseconds of each.
 */
export async function interleaved(
  rounds: number,
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<[one: number[], other: number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      times[0].push(await timed(one));
      times[1].push(await timed(other));
    } else {
      times[1].push(await timed(other));
      times[0].push(await timed(one));
    }
  }
  return times;
}
