import { HttpError } from '@/lib/errors/problem';
import { callRpc } from '@/lib/supabase/call-rpc';
import {
  type StandardSectionsQuery,
  type StandardSectionsResponse,
  standardSectionsResponse,
} from './schema';
import { addPageTexts } from './section-texts';

const found = standardSectionsResponse.omit({ nextCursor: true }).nullable();

/**
 * Returns one page of the sections of a brand standard. A section without stored text gets its text from the PDF's
 * pages. Throws `not_found` if the spec is not a brand standard, or `unavailable`.
 */
export async function readStandard(
  id: string,
  { cursor = 0, limit }: StandardSectionsQuery,
): Promise<StandardSectionsResponse> {
  const standard = await callRpc('read_standard', { p_id: id, p_after: cursor, p_limit: limit + 1 }, found);
  if (!standard) throw new HttpError('not_found');
  const sections = await addPageTexts(id, standard.sections.slice(0, limit));
  const last = sections.at(-1);
  const hasMore = standard.sections.length > limit;
  return { ...standard, sections, nextCursor: hasMore && last ? String(last.number) : null };
}
