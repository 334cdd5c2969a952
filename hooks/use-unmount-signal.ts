'use client';

import { useEffect, useRef } from 'react';

/**
 * Returns a function that creates an `AbortSignal` for a request. The latest signal aborts when the component unmounts.
 */
export function useUnmountSignal(): () => AbortSignal {
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);
  return () => {
    controller.current = new AbortController();
    return controller.current.signal;
  };
}
