/** A share from 0 to 1 in whole percent, rounded down, so that only the end is 100. */
export function toPercent(share: number): number {
  // A product such as 0.29 * 100 is slightly too small.
  return Math.floor(share * 100 + 1e-9);
}

/** Formats a share from 0 to 1: `40%`. */
export function formatPercent(share: number): string {
  return `${toPercent(share)}%`;
}
