/**
 * Returns whether a write comes from the app's own pages or from a client that is not a browser. Browsers send `Origin`
 * with every cross-site write. Other clients have no cookies that another site could use.
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
