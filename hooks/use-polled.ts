'use client';

import { useCallback, useEffect, useRef, useState } from 'react';

export type Polled<Value> = {
  /** Null until it has been read. Stays while it is read again, and after an error. */
  value: Value | null;
  loading: boolean;
  error: unknown;
  reload: () => void;
};

/** Reads a value when `read` changes, and again every `everyMs` while the page is visible; 0 stops that. */
export function usePolled<Value>(
  read: (signal: AbortSignal) => Promise<Value>,
  everyMs: number,
): Polled<Value> {
  const [value, setValue] = useState<Value | null>(null);
  const [loading, setLoading] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const request = useRef<AbortController | null>(null);

  const start = useCallback(async () => {
    request.current?.abort();
    const controller = new AbortController();
    request.current = controller;
    setLoading(true);
    try {
      setValue(await read(controller.signal));
      setError(null);
    } catch (error) {
      if (!controller.signal.aborted) setError(error);
    } finally {
      if (request.current === controller) {
        request.current = null;
        setLoading(false);
      }
    }
  }, [read]);

  useEffect(() => {
    void start();
    return () => request.current?.abort();
  }, [start]);

  useEffect(() => {
    if (everyMs === 0) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !request.current) void start();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, start]);

  return { value, loading, error, reload: () => void start() };
}
