/** Converts a share, such as 0.4, to a whole percentage. Rounds down, so that a share below 1 never gives 100. */
export function toPercent(share: number): number {
  // Compensate for floating point: 0.29 * 100, for example, is slightly less than 29.
  return Math.floor(share * 100 + 1e-9);
}

/** Formats a share as a percentage: `40%` for 0.4. */
export function formatPercent(share: number): string {
  return `${toPercent(share)}%`;
}
