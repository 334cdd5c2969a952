import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { sharedValue } from '@/lib/process/shared-value';

const storage = sharedValue('request-id', () => new AsyncLocalStorage<string>());

/** Returns the id of a request: its `x-request-id` header if that is valid, otherwise a new id. */
export function requestIdOf(headers: Headers): string {
  const id = headers.get('x-request-id');
  return id && /^[\w.-]{8,80}$/.test(id) ? id : randomUUID();
}

/** Runs `work` with a request id. The database stores the id in each work item and audit event that results. */
export function withRequestId<T>(requestId: string | null, work: () => T): T {
  return requestId === null ? work() : storage.run(requestId, work);
}

/** Returns the request id from `withRequestId`, or undefined if there is none. */
export function currentRequestId(): string | undefined {
  return storage.getStore();
}
