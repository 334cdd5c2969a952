/**
 * Fetches a URL that comes from a response instead of the configuration. The URL must not contain credentials, and must
 * be at one of `origins`, which come from settings. Throws a TypeError otherwise, as `fetch` does when a request fails.
 * Refuses redirects, so that an allowed origin cannot send the request elsewhere.
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
