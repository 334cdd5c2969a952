/**
 * Where to go after signing in: `next` if it is a path of this site, else `/`.
 * Browsers read `\` as `/` and drop tabs and line ends, so `/\host` and `/<tab>/host` are other sites too.
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
