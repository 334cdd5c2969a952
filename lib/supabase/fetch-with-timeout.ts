import { currentActor } from '@/lib/log/actor';
import { currentRequestId } from '@/lib/log/request-id';

/** The header from which the database reads the id of the current request (`private.request_id`). */
const REQUEST_HEADER = 'x-atelier-request-id';
/** The header from which the audit log reads the acting user (`private.actor_id`). */
const ACTOR_HEADER = 'x-atelier-actor';

/**
 * Returns a `fetch` for supabase-js, which has no timeout of its own. A request aborts after `ms` milliseconds or when
 * `stop` aborts. A supabase-js call can take longer than `ms`, because supabase-js retries some requests. The `fetch`
 * adds headers with the Atelier request id and the acting user, if they are known.
 */
export function fetchWithTimeout(ms: number, stop?: AbortSignal): typeof fetch {
  return (input, init) => {
    const timeout = AbortSignal.timeout(ms);
    const limits = [timeout, stop, init?.signal];
    const signal = AbortSignal.any(limits.filter((limit) => limit !== undefined && limit !== null));
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    const requestId = currentRequestId();
    if (requestId) headers.set(REQUEST_HEADER, requestId);
    const actor = currentActor();
    if (actor) headers.set(ACTOR_HEADER, actor);
    // Without `redirect: 'error'` and `window: null`, Node's fetch keeps a copy of the whole streamed body, to send it
    // again after a redirect.
    const options = { ...init, headers, signal, cache: 'no-store', redirect: 'error', window: null } as const;
    return fetch(input, options).catch((error: unknown) => {
      // Replace a TimeoutError with an AbortError, because supabase-js would retry a read after a TimeoutError. The
      // read would then take several times as long to fail.
      throw error === timeout.reason ? new DOMException(`No response after ${ms} ms.`, 'AbortError') : error;
    });
  };
}
