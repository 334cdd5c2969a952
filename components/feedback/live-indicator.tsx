'use client';

import { VisuallyHidden } from '@mantine/core';
import type { LiveState } from '@/hooks/use-realtime-topic';
import classes from './live-indicator.module.css';

const labels: Record<LiveState, string> = {
  live: 'Live',
  polling: 'Reconnecting …',
  offline: 'Offline',
};

/** Shows whether the page updates live. With `quiet`, shows text only while the page does not update live. */
export function LiveIndicator({ live, quiet = false }: { live: LiveState; quiet?: boolean }) {
  const label = labels[live];
  return (
    <span className={classes.root} data-live={live} role="status">
      <span className={classes.dot} aria-hidden="true" />
      {quiet && live === 'live' ? <VisuallyHidden component="span">{label}</VisuallyHidden> : label}
    </span>
  );
}
