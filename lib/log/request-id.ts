import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { sharedValue } from '@/lib/process/shared-value';

const storage = sharedValue('request-id', () => new AsyncLocalStorage<string>());

/** Returns the id of a request: the caller's own `x-request-id` if it is valid, otherwise a new id. */
export function requestIdOf(headers: Headers): string {
  const id = headers.get('x-request-id');
  return id && /^[\w.-]{8,80}$/.test(id) ? id : randomUUID();
}

/** Runs `work` with a request id, which the database stores with each work item that `work` creates. */
export function withRequestId<T>(requestId: string | null, work: () => T): T {
  return requestId === null ? work() : storage.run(requestId, work);
}

/** Returns the id of the current request, or undefined outside of a request. */
export function currentRequestId(): string | undefined {
  return storage.getStore();
}
