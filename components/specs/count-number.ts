/** Formats a count of specs. Adds a plus sign, as in `1,000+`, if the count is only a minimum and is not 0. */
export function numberOf(count: number, isMinimum: boolean): string {
  return `${count.toLocaleString('en')}${isMinimum && count > 0 ? '+' : ''}`;
}
