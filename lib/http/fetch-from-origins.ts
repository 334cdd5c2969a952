/**
 * Fetches a URL that may come from another server's response. The URL must be at one of the allowed `origins` and must
 * not contain credentials. For any other URL, throws a TypeError, as `fetch` does when a request fails. Refuses
 * redirects, so that an allowed origin cannot send the request elsewhere.
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
