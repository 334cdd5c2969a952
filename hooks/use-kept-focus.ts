'use client';

import { useEffect, useRef } from 'react';

/**
 * Moves the focus when the focused element is removed, such as a row that no longer matches the filter, so that
 * keyboard users can continue. Returns the event handlers for the section around such elements, and the ref of the
 * element that receives the focus, which is usually the section itself.
 */
export function useKeptFocus<Target extends HTMLElement>() {
  const ref = useRef<Target>(null);
  const isWithin = useRef(false);
  useEffect(() => {
    if (!isWithin.current || document.activeElement !== document.body) return;
    isWithin.current = false;
    ref.current?.focus({ preventScroll: true });
  });
  return {
    ref,
    onFocus: () => {
      isWithin.current = true;
    },
    // Called when the focus moves to another element, but not when the focused element is removed.
    onBlur: () => {
      isWithin.current = false;
    },
  };
}
