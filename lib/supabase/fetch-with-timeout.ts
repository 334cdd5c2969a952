import { currentRequestId } from '@/lib/log/request-id';

/** In which the database finds the id of the request that it works for (`private.request_id`). */
const REQUEST_HEADER = 'x-atelier-request-id';

/** supabase-js waits for ever by itself: a `fetch` that gives up after `ms` milliseconds, or when `stop` says so. */
export function fetchWithTimeout(ms: number, stop?: AbortSignal): typeof fetch {
  return (input, init) => {
    const limits = [AbortSignal.timeout(ms), stop, init?.signal];
    const signal = AbortSignal.any(limits.filter((limit) => limit !== undefined && limit !== null));
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    const requestId = currentRequestId();
    if (requestId) headers.set(REQUEST_HEADER, requestId);
    // Without these two, Node's fetch keeps a copy of a streamed body for the case of a redirect: the whole file.
    return fetch(input, { ...init, headers, signal, cache: 'no-store', redirect: 'error', window: null });
  };
}
