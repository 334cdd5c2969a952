import { type FakeAsset, type RawAsset, SCHEDULED_AT } from '@/tests/fakes/matlib/make-library';

/**
 * Quirks of assets in the real library. Each one changes the asset at index `at` and every `every`-th asset after it.
 */
const oddities: {
  every: number;
  at: number;
  change: (raw: RawAsset) => Record<string, unknown>;
}[] = [
  { every: 40, at: 3, change: ({ tags }) => ({ tags: [...tags, 'rough  ', ' seamless'] }) },
  { every: 90, at: 5, change: ({ tags }) => ({ tags: [...tags, ...tags.slice(0, 1)] }) },
  { every: 60, at: 7, change: ({ tags }) => ({ tags: [...tags, 'costal'] }) },
  {
    every: 50,
    at: 9,
    change: ({ categories }) => ({ categories: [...categories, 'collection: verdant_trail'] }),
  },
  { every: 70, at: 11, change: ({ categories }) => ({ categories: [...categories, 'vault: atelier'] }) },
  {
    every: 30,
    at: 13,
    change: () => ({ authors: { 'Ada Example': 'Processing ', 'Ben Sample': 'Photography, processing' } }),
  },
  { every: 31, at: 14, change: () => ({ authors: { 'Chi Tester': 'processing' } }) },
  { every: 4, at: 2, change: () => ({ info: null }) },
  { every: 25, at: 15, change: () => ({ info: ' Taken on a quiet morning. ' }) },
  { every: 2, at: 1, change: ({ dimensions }) => ({ dimensions: offset(dimensions) }) },
  { every: 80, at: 17, change: () => ({ max_resolution: [8042, 8037] }) },
  { every: 200, at: 19, change: () => ({ max_resolution: [32767, 8192] }) },
  { every: 45, at: 21, change: () => ({ description: 'Weathered façade – “Größe” 2 × 2 m, Ærø' }) },
  { every: 110, at: 23, change: () => ({ similarity: 7 }) },
  { every: 300, at: 25, change: () => ({ social_post_pending: true }) },
  { every: 4, at: 3, change: () => ({ sponsors: ['1234567', 'Eva Muster'] }) },
  { every: 150, at: 27, change: () => ({ categories: undefined }) },
  {
    every: 150,
    at: 29,
    change: () => ({ img_version: undefined, category: undefined, attributes: undefined }),
  },
  // Assets that the app must leave out: without a name, of an unknown type, with an unsafe image URL, or not published
  // yet.
  { every: 400, at: 31, change: () => ({ name: '' }) },
  { every: 400, at: 33, change: () => ({ type: 9 }) },
  { every: 400, at: 35, change: () => ({ thumbnail_url: 'http://pictures.example.test/x.png' }) },
  { every: 400, at: 37, change: () => ({ date_published: SCHEDULED_AT }) },
];

function offset(dimensions: unknown): unknown {
  return Array.isArray(dimensions) ? dimensions.map((mm) => Number(mm) + 0.0000715255737) : dimensions;
}

/** Adds the quirks of the real library to a list, always to the same assets. */
export function addQuirks(assets: FakeAsset[]): FakeAsset[] {
  return assets.map((asset, nth) => {
    const raw: RawAsset = { ...asset.raw };
    for (const { every, at, change } of oddities) {
      if (nth >= at && nth % every === at % every) Object.assign(raw, change(raw));
    }
    return { ...asset, raw };
  });
}
