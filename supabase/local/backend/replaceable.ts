import { setTimeout as sleep } from 'node:timers/promises';

/** What requests under way on lost connections may still take, before their statements are ended. */
const GRACE_MS = 2_000;

export type Replaceable<T> = {
  current(): T;
  /** Whether this one has lost a connection and been replaced. */
  isLost(one: T): boolean;
  close(): Promise<void>;
};

/**
 * A pool of connections that is replaced as a whole when one of them is lost. postgres.js would hand a dead connection
 * out again when a transaction lets go of it, and leave statements on it without an answer.
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
      log('a connection to Postgres was lost: opening new ones');
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

/** Whether an error is that of postgres.js when it writes to a connection that it has just lost. */
export function isWriteToLostConnection(error: Error): boolean {
  return error instanceof TypeError && /nextWrite.*[\\/]postgres[\\/]/.test(error.stack ?? '');
}
