import type { IncomingMessage } from 'node:http';

/** Returns the URL of a request, or null for a malformed URL such as `//`. */
export function requestUrl({ url = '/' }: IncomingMessage): URL | null {
  const base = 'http://127.0.0.1';
  return url.startsWith('/') && URL.canParse(url, base) ? new URL(url, base) : null;
}
