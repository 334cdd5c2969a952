/** Formats a count of specs. Adds a plus sign to a count that is only a minimum, as in `1,000+`, unless it is 0. */
export function numberOf(count: number, isMinimum: boolean): string {
  return `${count.toLocaleString('en')}${isMinimum && count > 0 ? '+' : ''}`;
}
