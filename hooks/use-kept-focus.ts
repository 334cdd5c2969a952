'use client';

import { type RefObject, useEffect, useRef } from 'react';

/**
 * Moves the focus to the section when the focused element in it goes, as a row does that no longer matches the filter:
 * keyboard users continue from there. Returns the handlers for the section.
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
    // An element that is removed does not lose the focus to another one, and sends no event.
    onBlur: () => {
      isWithin.current = false;
    },
  };
}
