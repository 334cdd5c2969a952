'use client';

import { countOf } from './count';
import { useNow } from './relative-time';

const DAY_MS = 24 * 60 * 60_000;

/** Shows the number of days left to restore a deleted item. */
export function RestorableFor({ until }: { until: string | null }) {
  const now = useNow();
  if (until === null || now === null) return null;
  const days = Math.max(0, Math.ceil((Date.parse(until) - now) / DAY_MS));
  return <>{countOf(days, 'day')} left</>;
}
