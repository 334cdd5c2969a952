export type Coalesced = {
  /**
   * Resolves after a read that starts no earlier than this call. If `stop` is called in the meantime, the promise may
   * resolve without such a read.
   */
  run: () => Promise<void>;
  /** Aborts the current read, so that the next `run` starts immediately. */
  stop: () => void;
};

type Reading = { controller: AbortController; done: Promise<void>; next: Promise<void> | null };

/**
 * Creates a runner that performs one read at a time. All `run` calls made during a read share a single read that
 * follows it. `read` must handle its own errors.
 */
export function coalesced(read: (signal: AbortSignal) => Promise<void>): Coalesced {
  let current: Reading | null = null;
  const start = (): Promise<void> => {
    const controller = new AbortController();
    const reading: Reading = { controller, done: Promise.resolve(), next: null };
    current = reading;
    reading.done = read(controller.signal).finally(() => {
      if (current === reading) current = null;
    });
    return reading.done;
  };
  return {
    run: () => {
      const reading = current;
      if (!reading) return start();
      reading.next ??= reading.done.then(() => {
        if (current) return current.done;
        return reading.controller.signal.aborted ? undefined : start();
      });
      return reading.next;
    },
    stop: () => {
      current?.controller.abort();
      current = null;
    },
  };
}
