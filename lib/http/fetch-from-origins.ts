/**
 * Fetches a URL that comes from a response instead of the configuration: its origin must be one of `origins`, all of
 * which are settings. Redirects are refused, so that no such origin can send us elsewhere, and no other host name is
 * ever looked up. Throws a TypeError, like a `fetch` that fails.
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
