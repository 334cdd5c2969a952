'use client';

import { useEffect, useRef } from 'react';

/** Returns a function that makes a signal for a request, which aborts when the component unmounts. */
export function useUnmountSignal(): () => AbortSignal {
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);
  return () => {
    controller.current = new AbortController();
    return controller.current.signal;
  };
}
