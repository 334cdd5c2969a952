const FIRST_MS = 3_000;
const MOST_MS = 60_000;

/** Delay in ms until the colors of a search are fetched again, with the number still unknown at the last fetch. */
export type ColorsWait = { key: string; unknown: number; ms: number };

/** The next delay: short after progress, and doubled after each response without any. */
export function nextColorsWait(
  last: ColorsWait | null,
  { key, unknown }: Pick<ColorsWait, 'key' | 'unknown'>,
): ColorsWait {
  const isNews = last?.key !== key || last.unknown !== unknown;
  return { key, unknown, ms: isNews ? FIRST_MS : Math.min(last.ms * 2, MOST_MS) };
}
