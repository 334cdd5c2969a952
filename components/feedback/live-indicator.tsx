'use client';

import type { LiveState } from '@/hooks/use-realtime-topic';
import classes from './live-indicator.module.css';

const labels: Record<LiveState, string> = {
  live: 'Live',
  polling: 'Reconnecting …',
  offline: 'Offline',
};

/** Shows whether the page updates live. */
export function LiveIndicator({ live }: { live: LiveState }) {
  return (
    <span className={classes.root} data-live={live} role="status">
      <span className={classes.dot} aria-hidden="true" />
      {labels[live]}
    </span>
  );
}
