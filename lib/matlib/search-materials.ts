import { type KeptAnswer, keptAnswer } from '@/lib/http/kept-answer';
import { answerHeaders } from './answer-headers';
import { freshnessOf } from './freshness-of';
import { orHttpError } from './http-error';
import type { Library } from './library';
import type { SearchAnswer, SearchQuery } from './schema';
import { searchItems } from './search/search-items';

const BYTES_BESIDE_RESULTS = 4_000;
const BYTES_PER_RESULT = 800;

function keyOf(query: SearchQuery): string {
  const { q, type, categories, color, sort, limit, offset, facets } = query;
  return JSON.stringify([q, type, categories, color, sort, limit, offset, facets]);
}

/** Finds materials. Throws 502, 503 or 504 when the library cannot be asked and never was. */
export async function searchMaterials(
  library: Library,
  query: SearchQuery,
): Promise<KeptAnswer<SearchAnswer>> {
  const { catalogue, state, ttlMs } = await orHttpError(library.catalogues.get(query.type));
  await library.book.ready();
  const { version, items } = library.paint(catalogue);
  const bytes = BYTES_BESIDE_RESULTS + query.limit * BYTES_PER_RESULT;
  const answer = library.remember(`search ${version} ${state === 'stale'} ${keyOf(query)}`, bytes, () => {
    library.book.findOut(items.values());
    return {
      ...searchItems({ items, index: catalogue.index }, query, library.clock.now()),
      ...freshnessOf(library, catalogue.fetchedAt, state),
    };
  });
  return keptAnswer(answer, answerHeaders('list', state, ttlMs));
}
