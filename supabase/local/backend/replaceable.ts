import { setTimeout as sleep } from 'node:timers/promises';

/** How long requests under way on lost connections may still take, before their statements are ended. */
const GRACE_MS = 2_000;

export type Replaceable<T> = {
  current(): T;
  /** Whether this one has lost a connection and been replaced. */
  isLost(one: T): boolean;
  /**
   * Runs work on the current one. Throws an error with the code CONNECTION_CLOSED when that one is lost meanwhile and
   * the work has not ended by the end of its grace time.
   */
  use<Result>(work: (one: T) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

const connectionClosed = () =>
  Object.assign(new Error('The connection to Postgres was lost.'), { code: 'CONNECTION_CLOSED' });

/**
 * A pool of connections that is replaced as a whole when one of them is lost. postgres.js would hand a dead connection
 * out again when a transaction lets go of it, and leave statements on it without an answer, even when the pool is ended.
 */
export function replaceable<T extends object>(
  open: (onLost: () => void) => T,
  end: (one: T) => Promise<void>,
  log: (line: string) => void,
): Replaceable<T> {
  let isClosed = false;
  /** Fails the work that is under way on each one. */
  const underWay = new WeakMap<T, Set<(error: Error) => void>>();

  async function endLost(lost: T): Promise<void> {
    await sleep(GRACE_MS, undefined, { ref: false });
    await end(lost).catch(() => undefined);
    for (const fail of underWay.get(lost) ?? []) fail(connectionClosed());
  }

  const make = (): T => {
    const made = open(() => {
      if (made !== current || isClosed) return;
      log('a connection to Postgres was lost: opening new ones');
      current = make();
      void endLost(made);
    });
    underWay.set(made, new Set());
    return made;
  };
  let current = make();
  return {
    current: () => current,
    isLost: (one) => one !== current,
    use: (work) => {
      const one = current;
      const failures = underWay.get(one);
      return new Promise((resolve, reject) => {
        failures?.add(reject);
        work(one)
          .then(resolve, reject)
          .finally(() => failures?.delete(reject));
      });
    },
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
