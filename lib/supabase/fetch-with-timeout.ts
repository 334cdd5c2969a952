/** supabase-js waits for ever by itself: a `fetch` that gives up after `ms` milliseconds. */
export function fetchWithTimeout(ms: number): typeof fetch {
  return (input, init) => {
    const limit = AbortSignal.timeout(ms);
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit;
    // Without these two, Node's fetch keeps a copy of a streamed body for the case of a redirect: the whole file.
    return fetch(input, { ...init, signal, cache: 'no-store', redirect: 'error', window: null });
  };
}
