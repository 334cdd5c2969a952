const loopback = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/** The hosts that images and files may come from, as `MATLIB_ASSET_HOSTS` lists them (`host` or `host:port`). */
export type AssetHosts = ReadonlySet<string>;

/** Reads that list. */
export function assetHosts(list: string): AssetHosts {
  return new Set(
    list
      .split(',')
      .map((host) => host.trim().toLowerCase())
      .filter((host) => host !== ''),
  );
}

/**
 * The address when a browser may be sent there, else null: https and an allowed host, without credentials.
 * An allowed loopback host may be plain http.
 */
export function allowedUrl(value: unknown, hosts: AssetHosts): string | null {
  if (typeof value !== 'string' || value.length > 2_000 || !URL.canParse(value)) return null;
  const url = new URL(value);
  if (url.username || url.password || !hosts.has(url.host)) return null;
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.host));
  return isSafe ? value : null;
}

/** The origins of those hosts, as `allowedUrl` lets addresses through. */
export function assetOrigins(hosts: AssetHosts): string[] {
  return [...hosts].map((host) => `${loopback.test(host) ? 'http' : 'https'}://${host}`);
}
