'use client';

import { type FocusEvent, useEffect, useRef } from 'react';

/**
 * Moves the focus when the focused element is removed, so that keyboard users can continue. For example, a focused row
 * is removed when it no longer matches the filter. Returns the event handlers for the section that contains such
 * elements, and the ref of the element that receives the focus. This element is usually the section itself.
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
    // Ignore focus in a dialog that the section renders in a portal, which React reports here too. The dialog restores
    // the focus itself.
    onFocus: ({ currentTarget, target }: FocusEvent) => {
      isWithin.current = currentTarget.contains(target);
    },
    // Called when the focus moves to another element, but not when the focused element is removed.
    onBlur: () => {
      isWithin.current = false;
    },
  };
}
