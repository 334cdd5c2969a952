import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '@/lib/errors/error-parts';

/** Requests in progress can still use a replaced pool for this many milliseconds. Then they are rejected. */
const GRACE_MS = 2_000;

export type Replaceable<T> = {
  current(): T;
  /** Returns whether the pool `one` lost a connection and was replaced. */
  isLost(one: T): boolean;
  /**
   * Runs `work` on the current pool. Throws an error with the code CONNECTION_CLOSED if that pool is replaced and
   * `work` does not finish within the grace period.
   */
  use<Result>(work: (one: T) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

const connectionClosed = () =>
  Object.assign(new Error('The connection to Postgres was lost.'), { code: 'CONNECTION_CLOSED' });

/**
 * Creates a connection pool. If the pool loses a connection, the whole pool is replaced. Without the replacement,
 * postgres.js would reuse the dead connection after a transaction releases it, and statements on that connection would
 * never return, even after the pool is ended.
 */
export function replaceable<T extends object>(
  open: (onLost: () => void) => T,
  end: (one: T) => Promise<void>,
  log: (line: string) => void,
): Replaceable<T> {
  let isClosed = false;
  /** The reject functions of the work in progress on each pool. */
  const underWay = new WeakMap<T, Set<(error: Error) => void>>();

  async function endLost(lost: T): Promise<void> {
    await sleep(GRACE_MS, undefined, { ref: false });
    await end(lost).catch(() => undefined);
    for (const fail of underWay.get(lost) ?? []) fail(connectionClosed());
  }

  const make = (): T => {
    const made = open(() => {
      if (made !== current || isClosed) return;
      log('a connection to Postgres was lost; replacing the connection pool');
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

/** Codes of Node.js, postgres.js and Postgres for a connection that cannot be made or was lost. */
const lostCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'CONNECTION_DESTROYED',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  '57P01',
  '57P03',
]);

/** Returns whether an error says that the connection to Postgres cannot be made or was lost. */
export function isLostConnection(error: unknown): boolean {
  return lostCodes.has(codeOf(error));
}

/** Returns whether postgres.js threw this error because it wrote to a connection that it had just lost. */
export function isWriteToLostConnection(error: Error): boolean {
  return error instanceof TypeError && /nextWrite.*[\\/]postgres[\\/]/.test(error.stack ?? '');
}
