import { type MaterialAddress, materialsHref } from './material-address';

/** Updates the browser's URL without loading a page, as a new history entry or in place of the current one. */
export function applyAddress(address: MaterialAddress, how: 'push' | 'replace'): void {
  const href = materialsHref(address);
  if (how === 'push') window.history.pushState(null, '', href);
  else window.history.replaceState(null, '', href);
}
