/** Formats a count of specs. A count that is only a minimum gets a plus sign, such as `1,000+`, unless it is 0. */
export function numberOf(count: number, isMinimum: boolean): string {
  return `${count.toLocaleString('en')}${isMinimum && count > 0 ? '+' : ''}`;
}
