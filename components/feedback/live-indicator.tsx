'use client';

import type { LiveState } from '@/hooks/use-realtime-topic';
import classes from './live-indicator.module.css';

const words: Record<LiveState, string> = {
  live: 'Live',
  polling: 'Checking every few seconds',
  offline: 'Offline',
};

/** Says how fresh the page is. */
export function LiveIndicator({ live }: { live: LiveState }) {
  return (
    <span className={classes.root} data-live={live} role="status">
      <span className={classes.dot} aria-hidden="true" />
      {words[live]}
    </span>
  );
}
