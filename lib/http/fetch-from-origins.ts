/**
 * Fetches a URL that comes from a response instead of the configuration. The URL's origin must be one of `origins`, all
 * of which come from settings. Refuses redirects, so that none of these origins can send the request elsewhere, and
 * never resolves any other host name. Throws a TypeError, as `fetch` does when it fails.
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
