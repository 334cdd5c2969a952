/** Converts a share from 0 to 1 to a whole percentage. Rounds down, so that only a share of 1 gives 100. */
export function toPercent(share: number): number {
  // Compensate for floating point: 0.29 * 100, for example, is slightly less than 29.
  return Math.floor(share * 100 + 1e-9);
}

/** Formats a share from 0 to 1: `40%`. */
export function formatPercent(share: number): string {
  return `${toPercent(share)}%`;
}
