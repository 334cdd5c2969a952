import Fuse from 'fuse.js';
import MiniSearch from 'minisearch';
import type { SearchItem } from '@/lib/matlib/schema';
import { createTextIndex } from '@/lib/matlib/search/text-index';

type Find = (q: string) => string[];

function miniSearch(items: SearchItem[], searchOptions?: { prefix: boolean; fuzzy: number }): Find {
  const index = new MiniSearch<SearchItem>({ fields: ['name', 'tags', 'categories', 'description'] });
  index.addAll(items);
  return (q) => index.search(q, searchOptions).map(({ id }): string => id);
}

function fuse(items: SearchItem[]): Find {
  const index = new Fuse(items, { keys: ['name', 'tags', 'categories', 'description'] });
  return (q) => index.search(q).map(({ item }) => item.id);
}

/**
 * Returns the engines to compare: the app's own, MiniSearch with its defaults, MiniSearch with the settings that its
 * guide recommends, and Fuse.
 */
export async function engines(items: SearchItem[]): Promise<Record<string, Find> & { ours: Find }> {
  const index = await createTextIndex(items);
  return {
    ours: (q) => index.find(q).ids,
    MiniSearch: miniSearch(items),
    'MiniSearch with prefix and fuzzy': miniSearch(items, { prefix: true, fuzzy: 0.2 }),
    Fuse: fuse(items),
  };
}
