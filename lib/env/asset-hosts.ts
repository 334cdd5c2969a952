/** The hosts that images and files may come from, as `MATLIB_ASSET_HOSTS` lists them (`host` or `host:port`). */
export type AssetHosts = ReadonlySet<string>;

/** Reads the list of `MATLIB_ASSET_HOSTS`. */
export function assetHosts(list: string): AssetHosts {
  return new Set(
    list
      .split(',')
      .map((host) => host.trim().toLowerCase())
      .filter((host) => host !== ''),
  );
}
