import { createHash } from 'node:crypto';
import type { AssetHosts } from '@/lib/env/asset-hosts';
import { buildCatalogue, type MaterialCatalogue, publishedBy } from './catalogue';
import type { Clock } from './clock';
import { type Asset, type AssetContext, type DropReason, normalizeAsset } from './normalize-asset';
import type { AssetType } from './schema';
import { UpstreamError } from './upstream/error';
import type { Upstream } from './upstream/upstream';

/** If a new list contains less than this share of the old list's assets, an error is more likely than a cleanup. */
const MIN_SHARE = 0.7;

/** The number of unusable entries in a list, by reason. */
export type Dropped = Partial<Record<DropReason, number>>;

type LoadListOptions = {
  upstream: Upstream;
  hosts: AssetHosts;
  clock: Clock;
  deadlineMs: number;
  type: AssetType;
  former: MaterialCatalogue | undefined;
  background: boolean;
};

/**
 * Returns the usable assets of a list, published or not. Throws an UpstreamError with the failure `content` if `json`
 * is not a list or contains no usable asset.
 */
function assetsOf(json: unknown, context: AssetContext): { assets: Asset[]; dropped: Dropped } {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new UpstreamError('content', 'not a list of assets');
  }
  const dropped: Dropped = {};
  const onDrop = (reason: DropReason) => {
    dropped[reason] = (dropped[reason] ?? 0) + 1;
  };
  const assets = Object.entries(json).flatMap(
    ([id, value]) => normalizeAsset(id, value, { ...context, onDrop }) ?? [],
  );
  if (assets.length === 0) {
    throw new UpstreamError('content', `a list without one usable asset: dropped ${JSON.stringify(dropped)}`);
  }
  return { assets, dropped };
}

/**
 * Loads a list from the library. If neither the list nor the set of published assets has changed, returns the former
 * catalogue with a new `fetchedAt` instead of building a new one. Throws an UpstreamError if the list is unavailable or
 * unusable, or has lost more than 30% of its assets.
 */
export async function loadList(
  options: LoadListOptions,
): Promise<{ catalogue: MaterialCatalogue; dropped: Dropped }> {
  const { upstream, hosts, clock, type, former } = options;
  const response = await upstream.getJson({
    path: `/assets?type=${type}`,
    deadlineMs: options.deadlineMs,
    background: options.background,
    validators: former?.validators,
    check: (json, bytes) => {
      const bodyHash = createHash('sha1').update(bytes).digest('hex');
      const isSame = bodyHash === former?.bodyHash;
      return { bodyHash, list: isSame ? null : assetsOf(json, { type, hosts, now: clock.now() }) };
    },
  });
  const fetchedAt = clock.now();
  if (response.kind === 'absent')
    throw new UpstreamError('content', 'the list does not exist', { status: 404 });
  if (response.kind === 'unchanged' || !response.value.list) {
    if (!former) throw new UpstreamError('content', 'unchanged without a former list');
    const validators = response.kind === 'value' ? response.validators : former.validators;
    const { listed, bodyHash } = former;
    const isSame = publishedBy(fetchedAt, listed).length === former.assets.size;
    const catalogue = isSame
      ? { ...former, validators, fetchedAt }
      : await buildCatalogue(type, { assets: listed, bodyHash, validators, fetchedAt });
    return { catalogue, dropped: {} };
  }
  const { bodyHash, list } = response.value;
  const { assets, dropped } = list;
  if (former && assets.length < former.listed.length * MIN_SHARE) {
    throw new UpstreamError(
      'content',
      `the list shrank from ${former.listed.length} to ${assets.length} assets`,
    );
  }
  const { validators } = response;
  const catalogue = await buildCatalogue(type, { assets, bodyHash, validators, fetchedAt });
  return { catalogue, dropped };
}
