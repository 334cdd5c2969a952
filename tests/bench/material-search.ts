import { normalizeAsset } from '@/lib/matlib/normalize-asset';
import { assetTypes, type SearchItem, searchQuery } from '@/lib/matlib/schema';
import { searchItems } from '@/lib/matlib/search/search-items';
import { createTextIndex } from '@/lib/matlib/search/text-index';
import type { BenchRow } from '@/tests/bench/row';
import { makeLibrary } from '@/tests/fakes/matlib/make-library';
import { randomFor } from '@/tests/fakes/matlib/random';

const BAR_MS = 15;
const SEARCHES = 3_000;

const words = [
  'wood floor',
  'marbel',
  'conrete wall',
  'rusty metal',
  'couch',
  'blue',
  'old brick wall',
  'zzzz',
  'ter',
  'wether leather sofa',
  '',
];
const hard = [
  'x'.repeat(100),
  Array.from({ length: 20 }, () => 'wuud').join(' '),
  'a b c d e f g h i j k l m n o p',
];

/** Returns the assets of all types from the generated library, which is about as large as the real library. */
function everything(): SearchItem[] {
  const library = makeLibrary();
  const now = Date.now();
  return assetTypes.flatMap((type) =>
    [...library[type].values()].flatMap(({ id, raw }) => {
      const thumbnail_url = `https://cdn.example.test/${id}.png`;
      const asset = normalizeAsset(
        id,
        { ...raw, thumbnail_url },
        { type, hosts: new Set(['cdn.example.test']), now },
      );
      return asset ? [asset.item] : [];
    }),
  );
}

/** Times searches of all kinds over at least 2,400 assets, in process and without the response cache. */
export const materialSearch: BenchRow = {
  name: 'material-search',
  isAbsolute: true,
  run: async () => {
    const list = everything();
    if (list.length < 2_400) throw new Error(`only ${list.length} assets`);
    const index = await createTextIndex(list);
    const items = new Map(list.map((item) => [item.id, item]));
    const random = randomFor('searches');
    const times: number[] = [];
    for (let n = 0; n < SEARCHES; n += 1) {
      const query = searchQuery.parse({
        q: n % 20 === 0 ? random.pick(hard) : `${random.pick(words)} ${random.chance(0.2) ? n : ''}`,
        categories: random.pick(['', '', 'wood', 'outdoor,natural']),
        limit: '100',
        facets: '1',
        ...(random.chance(0.2) && { sort: random.pick(['newest', 'hot', 'name']) }),
      });
      const began = performance.now();
      searchItems({ items, index }, query, Date.now());
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
    const p99 = at(0.99);
    return {
      measured: `${list.length} assets: p50 ${at(0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      bar: `p99 ≤ ${BAR_MS} ms`,
      holds: p99 <= BAR_MS,
    };
  },
};
