'use client';

import { useCallback, useEffect, useEffectEvent, useRef } from 'react';

/**
 * Returns the key of the image to focus after a removal: the one after the last removed image, or else the nearest
 * remaining one before it. Returns null if none is left.
 */
export function successorOf(order: string[], removed: string[]): string | null {
  const removedKeys = new Set(removed);
  const last = order.findLastIndex((key) => removedKeys.has(key));
  const rest = [...order.slice(last + 1), ...order.slice(0, last + 1).toReversed()];
  return rest.find((key) => !removedKeys.has(key)) ?? null;
}

/**
 * Moves the focus to a neighboring image when the focused image is removed. Returns a function that must be called with
 * the keys of the images to remove, before they are removed. `order` lists the keys of all shown images.
 */
export function useFocusSuccessor(order: string[], focus: (key: string) => void) {
  const waiting = useRef<{ removed: string[]; successor: string | null } | null>(null);
  const moveFocus = useEffectEvent(focus);
  useEffect(() => {
    if (!waiting.current || waiting.current.removed.some((key) => order.includes(key))) return;
    const { successor } = waiting.current;
    waiting.current = null;
    // Move the focus only if it was lost with the image.
    if (successor !== null && document.activeElement === document.body) moveFocus(successor);
  }, [order]);
  return useCallback(
    (removed: string[]) => {
      waiting.current = { removed, successor: successorOf(order, removed) };
    },
    [order],
  );
}
