import { AsyncLocalStorage } from 'node:async_hooks';

// Each route's bundle has its own copy of this module: they meet at the global object.
const key = Symbol.for('atelier.request-id');
const shared = globalThis as typeof globalThis & { [key]?: AsyncLocalStorage<string> };

function storage(): AsyncLocalStorage<string> {
  shared[key] ??= new AsyncLocalStorage();
  return shared[key];
}

/** Runs `work` on behalf of a request: the database notes its id on whatever work it orders. */
export function onBehalfOf<T>(requestId: string | null, work: () => T): T {
  return requestId === null ? work() : storage().run(requestId, work);
}

/** The request on whose behalf this code runs; undefined outside of any. */
export function currentRequestId(): string | undefined {
  return storage().getStore();
}
