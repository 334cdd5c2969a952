import { type FakeAsset, type FakeType, SCHEDULED_AT, types } from '@/tests/fakes/matlib/make-library';
import { hexHash } from '@/tests/fakes/matlib/random';
import type { FakeState } from '@/tests/fakes/matlib/state';

const NOW = Date.UTC(2025, 6, 1) / 1000;

export function findAsset(state: FakeState, id: string): FakeAsset | null {
  if (state.behavior.hidden.includes(id)) return null;
  for (const type of types) {
    const asset = state.library[type].get(id);
    if (asset) return asset;
  }
  return null;
}

/** Returns an asset in the library's JSON format. Its image URL is under `origin`, unless a quirk sets another one. */
export function assetJson(state: FakeState, { id, raw }: FakeAsset, origin: string): Record<string, unknown> {
  const version = raw.img_version ? `&format=webp&v=${raw.img_version}` : '';
  const thumbnail_url = `${origin}/asset_img/thumbs/${id}.png?width=256&height=256${version}`;
  const isOut = raw.date_published !== SCHEDULED_AT || state.behavior.published.includes(id);
  return {
    thumbnail_url,
    ...raw,
    download_count: raw.download_count + state.behavior.revision,
    date_published: isOut ? Math.min(raw.date_published, NOW) : raw.date_published,
  };
}

/**
 * Returns the asset list of a type as JSON text, with its ETag. Caches one list per combination of parameters and
 * behavior.
 */
export function listBody(
  state: FakeState,
  { type, origin, future, isShrunk }: { type: FakeType; origin: string; future: boolean; isShrunk: boolean },
): { text: string; etag: string } {
  const { revision, hidden, published } = state.behavior;
  const key = JSON.stringify([type, origin, future, isShrunk, revision, hidden, published]);
  const cached = state.bodies.get(key);
  if (cached) return cached;
  const all = [...state.library[type].values()].filter(({ id }) => !hidden.includes(id));
  const shown = isShrunk ? all.slice(0, all.length / 2) : all;
  const entries = shown
    .map((asset): [string, Record<string, unknown>] => [asset.id, assetJson(state, asset, origin)])
    .filter(([, json]) => future || json.date_published !== SCHEDULED_AT);
  const text = JSON.stringify(Object.fromEntries(entries));
  const body = { text, etag: `W/"${hexHash(text)}"` };
  state.bodies.set(key, body);
  return body;
}
