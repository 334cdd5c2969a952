import { AsyncLocalStorage } from 'node:async_hooks';
import { sharedValue } from '@/lib/process/shared-value';

const storage = sharedValue('actor', () => new AsyncLocalStorage<string>());

/**
 * Runs `work` on behalf of an account. The audit log names the account as the actor of the events that `work` causes.
 */
export function withActor<T>(userId: string | undefined, work: () => T): T {
  return userId === undefined ? work() : storage.run(userId, work);
}

/** Returns the account that acts in the current request, or undefined if there is none. */
export function currentActor(): string | undefined {
  return storage.getStore();
}
