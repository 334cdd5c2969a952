/** The allowed hosts from `MATLIB_ASSET_HOSTS` or `EVENT_HOSTS`, each as `host` or `host:port`. */
export type AssetHosts = ReadonlySet<string>;

/** Parses a comma-separated list of hosts. */
export function assetHosts(list: string): AssetHosts {
  return new Set(
    list
      .split(',')
      .map((host) => host.trim().toLowerCase())
      .filter((host) => host !== ''),
  );
}
