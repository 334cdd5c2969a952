/** The number at which the counts of a search stop. */
const COUNTED = 1000;

/** Formats a count of specs. `isMinimum` is whether counts stop at 1,000, which is then formatted as `1,000+`. */
export function numberOf(count: number, isMinimum: boolean): string {
  return isMinimum && count >= COUNTED ? `${COUNTED.toLocaleString('en')}+` : count.toLocaleString('en');
}
