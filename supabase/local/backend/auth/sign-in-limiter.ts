import { LRUCache } from 'lru-cache';

const MAX_FAILURES = 10;
const WINDOW_MS = 5 * 60_000;

/** Thrown after too many wrong passwords for one account. */
export class TooManyGuesses extends Error {
  override name = 'TooManyGuesses';
}

export type SignInLimiter = {
  /**
   * Throws TooManyGuesses after 10 wrong passwords for an account. The count restarts after a correct password, or 5
   * minutes after the last counted wrong password. An attempt that is rejected with TooManyGuesses is not counted.
   */
  require(email: string): void;
  failed(email: string): void;
  succeeded(email: string): void;
};

/** Creates a limiter that counts wrong passwords per account to prevent password guessing. */
export function createSignInLimiter(): SignInLimiter {
  const failures = new LRUCache<string, number>({ max: 10_000, ttl: WINDOW_MS });
  const key = (email: string) => email.trim().toLowerCase();
  return {
    require(email) {
      if ((failures.get(key(email)) ?? 0) >= MAX_FAILURES) throw new TooManyGuesses();
    },
    failed(email) {
      failures.set(key(email), (failures.get(key(email)) ?? 0) + 1);
    },
    succeeded(email) {
      failures.delete(key(email));
    },
  };
}
