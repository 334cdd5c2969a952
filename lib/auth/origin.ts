/**
 * Whether a request that changes something comes from our own pages. Browsers send `Origin` with every such request to
 * another site; a program without a browser sends none and has no cookies that somebody else could use.
 */
export function isSameOrigin(headers: Headers, appUrl: string): boolean {
  const site = headers.get('sec-fetch-site');
  if (site && site !== 'same-origin' && site !== 'none') return false;
  const origin = headers.get('origin');
  if (origin === null) return true;
  if (origin === new URL(appUrl).origin) return true;
  const host = headers.get('x-forwarded-host') ?? headers.get('host');
  return URL.canParse(origin) && new URL(origin).host === host;
}
