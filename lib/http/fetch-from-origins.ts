/**
 * Fetches a URL that may come from a response. Throws a TypeError, as `fetch` does when a request fails, unless the URL
 * is at one of `origins`, which come from settings, and contains no credentials. Refuses redirects, so that an allowed
 * origin cannot send the request elsewhere.
 */
export async function fetchFromOrigins(
  origins: readonly string[],
  text: string,
  init: RequestInit = {},
): Promise<Response> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || url.username || url.password || !origins.includes(url.origin)) {
    throw new TypeError('The URL is not at an allowed origin.');
  }
  return fetch(url, { ...init, redirect: 'error', cache: 'no-store' });
}
