import { type MaterialAddress, materialsHref } from './material-address';

/** Puts an address into the browser: as a new step to go back from, or in place of the current one. */
export function applyAddress(address: MaterialAddress, how: 'push' | 'replace'): void {
  const href = materialsHref(address);
  if (how === 'push') window.history.pushState(null, '', href);
  else window.history.replaceState(null, '', href);
}
