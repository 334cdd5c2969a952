import { type MaterialUrl, materialsHref } from './material-url';

/** Updates the browser's URL without loading a page. Adds a history entry, or replaces the current one. */
export function applyUrl(url: MaterialUrl, how: 'push' | 'replace'): void {
  const href = materialsHref(url);
  if (how === 'push') window.history.pushState(null, '', href);
  else window.history.replaceState(null, '', href);
}
