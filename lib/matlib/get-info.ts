import { type KeptAnswer, keptAnswer } from '@/lib/http/kept-answer';
import { answerHeaders } from './answer-headers';
import { freshnessOf } from './freshness-of';
import type { Library } from './library';
import { requireAsset } from './require-asset';
import type { InfoAnswer } from './schema';
import { pageUrl } from './source';

/** The details of one asset. Throws `not_found`, and `unavailable` when the library is unavailable. */
export async function getInfo(library: Library, id: string): Promise<KeptAnswer<InfoAnswer>> {
  const { asset, catalogue, state, ttlMs } = await requireAsset(library, id);
  await library.book.ready();
  const color = library.book.colorOf(asset.item.thumbnail_url);
  const key = JSON.stringify([id, color, state === 'stale', catalogue.fetchedAt]);
  const answer = library.remember(`info ${key}`, 4_000, () => ({
    ...asset.item,
    color,
    ...asset.detail,
    available: { page_url: pageUrl(library.source, id), license: library.source.license },
    ...freshnessOf(library, catalogue.fetchedAt, state),
  }));
  return keptAnswer(answer, answerHeaders('asset', state, ttlMs));
}
