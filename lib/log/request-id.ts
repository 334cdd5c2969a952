import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

// Each route's bundle has its own copy of this module: they meet at the global object.
const key = Symbol.for('atelier.request-id');
const shared = globalThis as typeof globalThis & { [key]?: AsyncLocalStorage<string> };

function storage(): AsyncLocalStorage<string> {
  shared[key] ??= new AsyncLocalStorage();
  return shared[key];
}

/** The id of a request: the caller's own `x-request-id` where it is usable, else a new one. */
export function requestIdOf(headers: Headers): string {
  const given = headers.get('x-request-id');
  return given && /^[\w.-]{8,80}$/.test(given) ? given : randomUUID();
}

/** Runs `work` on behalf of a request: the database notes its id on whatever work it orders. */
export function onBehalfOf<T>(requestId: string | null, work: () => T): T {
  return requestId === null ? work() : storage().run(requestId, work);
}

/** The request on whose behalf this code runs; undefined outside of any. */
export function currentRequestId(): string | undefined {
  return storage().getStore();
}
