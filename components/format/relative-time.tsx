'use client';

import { Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { formatAbsolute, formatDate, formatRelative } from './time';

const STEP_MS = 10_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let present = 0;

function tick() {
  present = Date.now();
  for (const listener of listeners) listener();
}

function now(): number {
  if (timer === undefined && Date.now() - present >= 1000) present = Date.now();
  return present;
}

// One timer updates all times on the page together, so that equal times always have the same text.
function subscribe(onTick: () => void): () => void {
  listeners.add(onTick);
  // `present` can be ten seconds old. Update it, because the new listener may show a time that is later than `present`.
  if (Date.now() - present >= 1000) tick();
  timer ??= setInterval(tick, STEP_MS);
  return () => {
    listeners.delete(onTick);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * Returns the current time in ms since the epoch, updated every ten seconds. Returns null on the server and during
 * hydration, because the clocks of server and browser may differ.
 */
export function useNow(): number | null {
  return useSyncExternalStore(subscribe, now, () => null);
}

/**
 * Shows a time as "5 minutes ago", or as "5m ago" in the narrow style, with the full date and time on hover and for
 * screen readers. The element is not focusable, because that would add one or more tab stops to each row of a list.
 */
export function RelativeTime({ iso, style }: { iso: string; style?: 'long' | 'narrow' }) {
  const present = useNow();
  const absolute = present === null ? `${formatAbsolute(iso, 'UTC')} UTC` : formatAbsolute(iso);
  return (
    <Tooltip label={absolute}>
      {/* Positioned, so that the visually hidden text does not extend the scroll area of a list. */}
      <Text component="time" dateTime={iso} inherit span pos="relative" style={{ whiteSpace: 'nowrap' }}>
        {/* The server renders only the date, which is about as wide as the relative time that replaces it. */}
        {present === null ? formatDate(iso, 'UTC') : formatRelative(iso, present, style)}
        {present !== null && <VisuallyHidden component="span"> ({absolute})</VisuallyHidden>}
      </Text>
    </Tooltip>
  );
}
