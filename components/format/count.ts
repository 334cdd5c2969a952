/** Formats a count with its noun: `1 spec`, `12 specs`, `2 entries`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
