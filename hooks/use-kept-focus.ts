'use client';

import { type RefObject, useEffect, useRef } from 'react';

/**
 * Moves the focus to a section when the focused element inside it is removed, such as a row that no longer matches the
 * filter, so that keyboard users can continue from there. Returns the event handlers for the section.
 */
export function useKeptFocus(section: RefObject<HTMLElement | null>) {
  const isWithin = useRef(false);
  useEffect(() => {
    if (isWithin.current && document.activeElement === document.body) {
      section.current?.focus({ preventScroll: true });
    }
  });
  return {
    onFocus: () => {
      isWithin.current = true;
    },
    // Called when the focus moves to another element, but not when the focused element is removed.
    onBlur: () => {
      isWithin.current = false;
    },
  };
}
