import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { sharedValue } from '@/lib/process/shared-value';

const storage = sharedValue('request-id', () => new AsyncLocalStorage<string>());

/** The id of a request: the caller's own `x-request-id` when it is valid, else a new one. */
export function requestIdOf(headers: Headers): string {
  const given = headers.get('x-request-id');
  return given && /^[\w.-]{8,80}$/.test(given) ? given : randomUUID();
}

/** Runs `work` with a request's id, which the database stores with the work items that it creates meanwhile. */
export function withRequestId<T>(requestId: string | null, work: () => T): T {
  return requestId === null ? work() : storage.run(requestId, work);
}

/** The id of the current request; undefined outside of one. */
export function currentRequestId(): string | undefined {
  return storage.getStore();
}
