/** supabase-js waits for ever by itself: a `fetch` that gives up after `ms` milliseconds. */
export function fetchWithTimeout(ms: number): typeof fetch {
  return (input, init) => {
    const limit = AbortSignal.timeout(ms);
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit;
    return fetch(input, { ...init, signal, cache: 'no-store' });
  };
}
