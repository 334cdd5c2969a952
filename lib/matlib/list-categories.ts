import { type KeptAnswer, keptAnswer } from '@/lib/http/kept-answer';
import { answerHeaders } from './answer-headers';
import { freshnessOf } from './freshness-of';
import { orHttpError } from './http-error';
import type { Library } from './library';
import type { CategoriesAnswer, CategoriesQuery } from './schema';
import { countCategories } from './search/count';

/** The categories of a type by frequency; with `in`, the further categories of assets that have all of these. */
export async function listCategories(
  library: Library,
  query: CategoriesQuery,
): Promise<KeptAnswer<CategoriesAnswer>> {
  const { catalogue, state, ttlMs } = await orHttpError(library.catalogues.get(query.type));
  const key = JSON.stringify([query.type, query.in, state === 'stale', catalogue.fetchedAt]);
  const answer = library.remember(`categories ${key}`, 6_000, () => {
    const items = [...catalogue.assets.values()].map(({ item }) => item);
    const within = items.filter(({ categories }) => query.in.every((name) => categories.includes(name)));
    const counts = countCategories(within, query.in);
    return {
      categories: Object.keys(counts),
      counts,
      total: within.length,
      type: query.type,
      ...freshnessOf(library, catalogue.fetchedAt, state),
    };
  });
  return keptAnswer(answer, answerHeaders('list', state, ttlMs));
}
