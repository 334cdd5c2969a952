import { setTimeout as sleep } from 'node:timers/promises';

/** Time for the requests in progress on a replaced pool, before their statements are canceled. */
const GRACE_MS = 2_000;

export type Replaceable<T> = {
  current(): T;
  /** Whether this pool lost a connection and was replaced. */
  isLost(one: T): boolean;
  close(): Promise<void>;
};

/**
 * A connection pool that is replaced as a whole when it loses a connection. postgres.js would reuse the dead connection
 * after a transaction releases it, and statements on it would never return.
 */
export function replaceable<T extends object>(
  open: (onLost: () => void) => T,
  end: (one: T) => Promise<void>,
  log: (line: string) => void,
): Replaceable<T> {
  let isClosed = false;
  const make = (): T => {
    const made = open(() => {
      if (made !== current || isClosed) return;
      log('a connection to Postgres was lost; replacing the connection pool');
      current = make();
      void sleep(GRACE_MS, undefined, { ref: false })
        .then(() => end(made))
        .catch(() => undefined);
    });
    return made;
  };
  let current = make();
  return {
    current: () => current,
    isLost: (one) => one !== current,
    close: () => {
      isClosed = true;
      return end(current);
    },
  };
}

/** Whether postgres.js threw this error because it wrote to a connection that it had just lost. */
export function isWriteToLostConnection(error: Error): boolean {
  return error instanceof TypeError && /nextWrite.*[\\/]postgres[\\/]/.test(error.stack ?? '');
}
