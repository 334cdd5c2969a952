type Span = { from: number; to: number };

/** Parses one part of a page range: `5`, `1-3`, `8-` or `-3`. Returns null for anything else. */
function parseSpan(part: string): Span | null {
  const [, single, first, last] = /^(?:(\d{1,4})|(\d{1,4})?\s*[-–]\s*(\d{1,4})?)$/.exec(part.trim()) ?? [];
  if (single !== undefined) return { from: Number(single), to: Number(single) };
  if (first === undefined && last === undefined) return null;
  return { from: Number(first ?? 1), to: last === undefined ? Number.POSITIVE_INFINITY : Number(last) };
}

/** Parses a page range such as `1-3, 5, 8-`. Returns null if it is invalid. */
function parseRange(range: string): Span[] | null {
  const spans = range.split(',').map(parseSpan);
  const valid = spans.filter((span) => span !== null && span.from >= 1 && span.from <= span.to);
  return valid.length === spans.length ? valid.filter((span) => span !== null) : null;
}

/** Returns whether a string is a page range such as `1-3, 5, 8-`. Its pages need not exist. */
export function isPageRange(range: string): boolean {
  return parseRange(range) !== null;
}

/** Returns the page numbers from 1 to `count` that a range contains. A null range contains all of them. */
export function pagesInRange(range: string | null, count: number): ReadonlySet<number> {
  const spans = range === null ? [{ from: 1, to: count }] : (parseRange(range) ?? []);
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return new Set(numbers.filter((number) => spans.some(({ from, to }) => from <= number && number <= to)));
}

/** Returns whether any part of a valid range, such as the `2` in `2, 5-`, ends before the number `first`. */
export function hasPartBefore(range: string, first: number): boolean {
  return (parseRange(range) ?? []).some(({ to }) => to < first);
}

/**
 * Returns `range` with `by` added to each number; a sum below 1 becomes 1. `range` must be valid, and no part of it may
 * end before `1 - by`.
 */
export function shiftedRange(range: string, by: number): string {
  return range.replace(/\d+/g, (number) => String(Math.max(1, Number(number) + by)));
}

/** Returns the first number above `count` in a page range, or null if there is none. */
export function missingPage(range: string, count: number): number | null {
  const ends = (parseRange(range) ?? []).flatMap(({ from, to }) => [from, Number.isFinite(to) ? to : from]);
  return ends.find((number) => number > count) ?? null;
}
