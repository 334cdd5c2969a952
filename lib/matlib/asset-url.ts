const loopback = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/** The hosts allowed for images and files, as in `MATLIB_ASSET_HOSTS` (`host` or `host:port`). */
export type AssetHosts = ReadonlySet<string>;

/** Parses the comma-separated list. */
export function assetHosts(list: string): AssetHosts {
  return new Set(
    list
      .split(',')
      .map((host) => host.trim().toLowerCase())
      .filter((host) => host !== ''),
  );
}

/**
 * The URL if a browser may be sent to it, else null: https and an allowed host, without credentials. An allowed loopback
 * host may use http.
 */
export function allowedUrl(value: unknown, hosts: AssetHosts): string | null {
  if (typeof value !== 'string' || value.length > 2_000 || !URL.canParse(value)) return null;
  const url = new URL(value);
  if (url.username || url.password || !hosts.has(url.host)) return null;
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.host));
  return isSafe ? value : null;
}

/** The origins of the hosts, with the protocol that `allowedUrl` accepts. */
export function assetOrigins(hosts: AssetHosts): string[] {
  return [...hosts].map((host) => `${loopback.test(host) ? 'http' : 'https'}://${host}`);
}
