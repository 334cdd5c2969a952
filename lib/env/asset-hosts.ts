/** Allowed hosts, as in `MATLIB_ASSET_HOSTS` and `EVENT_HOSTS` (`host` or `host:port`). */
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
