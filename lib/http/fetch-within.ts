/**
 * Fetches an address that was not written down by the operator but came in an answer: it must lie at one of `origins`,
 * all of which are settings. Redirects are refused, so nobody behind such an origin can send us elsewhere; a name that
 * no setting holds is never looked up. Throws a TypeError, like a `fetch` that fails.
 */
export async function fetchWithin(
  origins: readonly string[],
  address: string,
  init: RequestInit = {},
): Promise<Response> {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || url.username || url.password || !origins.includes(url.origin)) {
    throw new TypeError('The address lies outside of what may be asked.');
  }
  return fetch(url, { ...init, redirect: 'error', cache: 'no-store' });
}
