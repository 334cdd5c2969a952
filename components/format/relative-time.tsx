'use client';

import { Text, Tooltip } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { formatAbsolute, formatRelative } from './time';

const STEP_MS = 10_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

// One timer updates all times on the page.
function subscribe(onTick: () => void): () => void {
  listeners.add(onTick);
  timer ??= setInterval(() => {
    for (const listener of listeners) listener();
  }, STEP_MS);
  return () => {
    listeners.delete(onTick);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
const now = () => Math.floor(Date.now() / STEP_MS) * STEP_MS;

/** The current time in ms since the epoch, in steps of ten seconds; null on the server, whose clock may differ. */
export function useNow(): number | null {
  return useSyncExternalStore(subscribe, now, () => null);
}

/** A time as "5 minutes ago", with the full date and time on hover and focus. */
export function RelativeTime({ iso }: { iso: string }) {
  const present = useNow();
  const absolute = present === null ? `${formatAbsolute(iso, 'UTC')} UTC` : formatAbsolute(iso);
  return (
    <Tooltip label={absolute}>
      <Text component="time" dateTime={iso} tabIndex={0} inherit span style={{ whiteSpace: 'nowrap' }}>
        {present === null ? absolute : formatRelative(iso, present)}
      </Text>
    </Tooltip>
  );
}
