const FIRST_MS = 3_000;
const MOST_MS = 60_000;

/** How long to wait before asking again for the colours of a list, and what was known of it then. */
export type ColorsWait = { key: string; unknown: number; ms: number };

/** Soon after there was news; twice as long after each answer without any. */
export function nextColorsWait(
  last: ColorsWait | null,
  { key, unknown }: Pick<ColorsWait, 'key' | 'unknown'>,
): ColorsWait {
  const isNews = last?.key !== key || last.unknown !== unknown;
  return { key, unknown, ms: isNews ? FIRST_MS : Math.min(last.ms * 2, MOST_MS) };
}
