'use client';

import { useEffect, useRef } from 'react';

/**
 * Returns a function that creates an `AbortSignal` for a request. When the component unmounts, the hook aborts only the
 * signal created last.
 */
export function useUnmountSignal(): () => AbortSignal {
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);
  return () => {
    controller.current = new AbortController();
    return controller.current.signal;
  };
}
