import MiniSearch, { type Query, type SearchOptions } from 'minisearch';
import type { SearchItem } from '@/lib/matlib/schema';
import { nearWords } from './near-words';
import { synonymsOf } from './synonyms';
import { queryTokens, tokens } from './tokens';

/** Ids from the best on, and how strictly the words were met. */
export type TextMatch = { ids: string[]; match: 'exact' | 'fuzzy' | 'any' };
export type TextIndex = { find(text: string): TextMatch };

const fields = ['name', 'tags', 'categories', 'description'];
const SYNONYM_WEIGHT = 0.4;
const SLIP_WEIGHT = 0.6;
const PREFIX_FROM = 3;
const CHUNK = 100;

const prefix = (word: string) => word.length >= PREFIX_FROM;

/** Every word or one of its synonyms. */
function wordsOrSynonyms(words: string[]): Query {
  return {
    combineWith: 'AND',
    queries: words.map((word) => ({
      combineWith: 'OR',
      queries: [
        word,
        ...synonymsOf(word).map((other) => ({ queries: [other], boostTerm: () => SYNONYM_WEIGHT })),
      ],
    })),
  };
}

type Near = ReadonlyMap<string, ReturnType<typeof nearWords>>;

/** Each word, or one that it may be a slip of. */
function wordsOrNear(near: Near, combineWith: 'AND' | 'OR'): Query {
  return {
    combineWith,
    queries: [...near].map(([word, others]) => ({
      combineWith: 'OR',
      queries: [
        word,
        ...others.map((other) => ({
          queries: [other.word],
          prefix: false,
          boostTerm: () => SLIP_WEIGHT / other.slips,
        })),
      ],
    })),
  };
}

/** The same for a name in any order of its words. */
const nameKey = (text: string) => queryTokens(text).sort().join(' ');

function pinExact(ids: string[], text: string, exact: Map<string, string[]>): string[] {
  const found = new Set(ids);
  const pinned = (exact.get(nameKey(text)) ?? []).filter((id) => found.has(id));
  return pinned.length > 0 ? [...new Set([...pinned, ...ids])] : ids;
}

/**
 * Builds the index of a list, in steps that leave room for other work. `find` asks for all words first (whole, as
 * beginnings from three letters on, or by synonym), then for all words with typos forgiven, then for any of them where
 * one is met as it is. What is called exactly so comes first.
 */
export async function createTextIndex(items: readonly SearchItem[]): Promise<TextIndex> {
  const downloads = new Map(items.map((item) => [item.id, item.download_count]));
  const exact = new Map<string, string[]>();
  for (const { id, name } of items) {
    for (const key of new Set([nameKey(id), nameKey(name)])) {
      exact.set(key, [...(exact.get(key) ?? []), id]);
    }
  }
  const known = new Set<string>();
  const index = new MiniSearch<SearchItem>({
    fields,
    tokenize: tokens,
    processTerm: (word) => {
      known.add(word);
      return word;
    },
    searchOptions: { processTerm: (word) => word },
  });
  await index.addAllAsync(items, { chunkSize: CHUNK });

  function ask(query: Query, options: SearchOptions): string[] {
    const hits = index.search(query, {
      boost: { name: 4, tags: 3, categories: 2, description: 0.5 },
      boostDocument: (id) => 1 + Math.log10(1 + (downloads.get(id) ?? 0)) / 10,
      ...options,
    });
    return hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).map(({ id }): string => id);
  }

  function find(text: string): TextMatch {
    const words = queryTokens(text);
    const all = ask(wordsOrSynonyms(words), { prefix });
    if (all.length > 0 || words.length === 0) return { ids: pinExact(all, text, exact), match: 'exact' };
    const near: Near = new Map(words.map((word) => [word, nearWords(word, known)]));
    const forgiven = ask(wordsOrNear(near, 'AND'), { prefix });
    if (forgiven.length > 0 || words.length === 1) return { ids: forgiven, match: 'fuzzy' };
    // Words that are met by a slip alone, and not even all of them: then nothing here was meant.
    const isMet = (word: string) => ask(wordsOrSynonyms([word]), { prefix }).length > 0;
    const makesSense = words.some(isMet) || [...near.values()].every((others) => others.length > 0);
    return { ids: makesSense ? ask(wordsOrNear(near, 'OR'), { prefix }) : [], match: 'any' };
  }
  return { find };
}
