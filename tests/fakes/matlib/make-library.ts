import { makeHdris } from '@/tests/fakes/matlib/make-hdris';
import { makeModels } from '@/tests/fakes/matlib/make-models';
import { makeTextures } from '@/tests/fakes/matlib/make-textures';
import { addQuirks } from '@/tests/fakes/matlib/quirks';

export const types = ['hdris', 'textures', 'models'] as const;
export type FakeType = (typeof types)[number];

/** An asset as the library lists it, except for its URLs, which depend on the fake's own URL. */
export type RawAsset = Record<string, unknown> & {
  name: string;
  type: number;
  date_published: number;
  download_count: number;
  files_hash: string;
  img_version: string;
  tags: string[];
  categories: string[];
  max_resolution: [number, number];
};

/** What the image of an asset shows. */
export type Look = { kind: string; colors: string[] };
export type FakeAsset = { id: string; type: FakeType; raw: RawAsset; look: Look };
export type FakeLibrary = Record<FakeType, ReadonlyMap<string, FakeAsset>>;

/** Publication date of scheduled assets, far in the future, in seconds since 1970. */
export const SCHEDULED_AT = Date.UTC(2099, 0, 1) / 1000;

/** Sorts assets by the code units of their ids, as the real library does: uppercase letters come first. */
function listed(assets: FakeAsset[]): ReadonlyMap<string, FakeAsset> {
  const sorted = assets.sort((a, b) => (a.id < b.id ? -1 : 1));
  return new Map(sorted.map((asset) => [asset.id, asset]));
}

/**
 * Generates the library, with all known quirks of the real one, or only the given share of its assets. Calls with the
 * same share return the same assets.
 */
export function makeLibrary(share = 1): FakeLibrary {
  return {
    hdris: listed(addQuirks(makeHdris(620 * share))),
    textures: listed(addQuirks(makeTextures(900 * share))),
    models: listed(addQuirks(makeModels(920 * share))),
  };
}
