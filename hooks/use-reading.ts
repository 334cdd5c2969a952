'use client';

import { useCallback, useEffect, useRef, useState } from 'react';

export type Reading<Value> = {
  /** Null until it has been read. */
  value: Value | null;
  /** The error of the last read; null during a read and after a success. */
  error: unknown;
  reload: () => void;
};

type Known<Value> = { id: string; value: Value | null; error: unknown };

/** Reads the value for `id`, and again when the id changes; never shows a value for another id. */
export function useReading<Value>(
  id: string,
  read: (id: string, signal: AbortSignal) => Promise<Value>,
): Reading<Value> {
  const [known, setKnown] = useState<Known<Value>>({ id, value: null, error: null });
  const request = useRef<AbortController | null>(null);
  const start = useCallback(async () => {
    request.current?.abort();
    const controller = new AbortController();
    request.current = controller;
    setKnown({ id, value: null, error: null });
    try {
      const value = await read(id, controller.signal);
      setKnown({ id, value, error: null });
    } catch (error) {
      if (!controller.signal.aborted) setKnown({ id, value: null, error });
    }
  }, [id, read]);
  useEffect(() => {
    void start();
    return () => request.current?.abort();
  }, [start]);
  const current = known.id === id ? known : { value: null, error: null };
  return { value: current.value, error: current.error, reload: () => void start() };
}
