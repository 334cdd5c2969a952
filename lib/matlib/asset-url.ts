import type { AssetHosts } from '@/lib/env/asset-hosts';

const loopback = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/**
 * Returns the URL if a browser may load it, otherwise null. It must use https and an allowed host, contain no
 * credentials, and have at most 2,000 characters. An allowed loopback host may use http.
 */
export function allowedUrl(value: unknown, hosts: AssetHosts): string | null {
  if (typeof value !== 'string' || value.length > 2_000 || !URL.canParse(value)) return null;
  const url = new URL(value);
  if (url.username || url.password || !hosts.has(url.host)) return null;
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.host));
  return isSafe ? value : null;
}

/** Returns the origins of hosts, with http for a loopback host and https for any other. */
export function assetOrigins(hosts: AssetHosts): string[] {
  return [...hosts].map((host) => `${loopback.test(host) ? 'http' : 'https'}://${host}`);
}
