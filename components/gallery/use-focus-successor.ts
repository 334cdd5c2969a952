'use client';

import { useCallback, useEffect, useEffectEvent, useRef } from 'react';

/** The image that follows the removed ones, else the one before them; null when none is left. */
export function successorOf(order: string[], removed: string[]): string | null {
  const gone = new Set(removed);
  const last = order.findLastIndex((key) => gone.has(key));
  const rest = [...order.slice(last + 1), ...order.slice(0, last + 1).toReversed()];
  return rest.find((key) => !gone.has(key)) ?? null;
}

/**
 * Moves the focus to the next image when the image that had it is removed. Returns a function to call before images are
 * removed; `order` has the keys of all shown images.
 */
export function useFocusSuccessor(order: string[], focus: (key: string) => void) {
  const waiting = useRef<{ removed: string[]; successor: string | null } | null>(null);
  const moveFocus = useEffectEvent(focus);
  useEffect(() => {
    if (!waiting.current || waiting.current.removed.some((key) => order.includes(key))) return;
    const { successor } = waiting.current;
    waiting.current = null;
    // Only if the focus was lost with the image.
    if (successor !== null && document.activeElement === document.body) moveFocus(successor);
  }, [order]);
  return useCallback(
    (removed: string[]) => {
      waiting.current = { removed, successor: successorOf(order, removed) };
    },
    [order],
  );
}
