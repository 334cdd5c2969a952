/**
 * Returns where to go after signing in: `next` if it is a path on this site other than `/sign-in`, otherwise `/`.
 * Browsers treat `\` as `/` and drop tabs and newlines, so `/\host` and `/<tab>/host` also point to other sites.
 */
export function nextPath(next: string | string[] | null | undefined): string {
  if (typeof next !== 'string' || !next.startsWith('/')) return '/';
  const base = 'https://atelier.invalid';
  try {
    const url = new URL(next, base);
    if (url.origin !== base || url.pathname.startsWith('//') || url.pathname === '/sign-in') return '/';
    return `${url.pathname}${url.search}${url.hash}`;
  } catch {
    return '/';
  }
}
