import { assetHosts } from '@/lib/env/asset-hosts';
import { serverEnv } from '@/lib/env/server';
import { isPrivateHost } from '@/lib/http/private-host';

/** Returns whether the operator has listed this URL's host in `EVENT_HOSTS`. */
export function isAllowedHost(url: string): boolean {
  const { host, hostname } = new URL(url);
  const allowed = assetHosts(serverEnv().EVENT_HOSTS);
  return allowed.has(host) || allowed.has(hostname);
}

/**
 * Returns why events must not be sent to this URL, or null if they may be sent. The reason completes a sentence that
 * starts with "The URL". Private hosts and URLs without https are allowed only if `EVENT_HOSTS` lists the host. This
 * function does not resolve host names. `postOutside` checks the resolved addresses when an event is sent.
 */
export function endpointUrlProblem(url: string): string | null {
  if (isAllowedHost(url)) return null;
  const { hostname, protocol } = new URL(url);
  if (isPrivateHost(hostname)) {
    return 'must not point to this machine or a private network, unless EVENT_HOSTS names its host';
  }
  return protocol === 'https:' ? null : 'must use https, unless EVENT_HOSTS names its host';
}
