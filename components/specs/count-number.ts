/** Returns a number of specs as text, such as `1,000+` for a minimum. */
export function numberOf(count: number, isMinimum: boolean): string {
  return `${count.toLocaleString('en')}${isMinimum && count > 0 ? '+' : ''}`;
}
