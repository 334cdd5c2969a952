import { cutPage, decodeCursor, decodeKeyedCursor, type KeyedKeyset, type Keyset } from '@/lib/http/page';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { NO_KEY } from '../find-specs';
import { hasWords } from '../passage';
import type { ListStandardsQuery, StandardsResponse } from './schema';

/**
 * Returns one page of the brand standards that match the query. For a search, the best matches come first. Otherwise,
 * the newest come first. Throws `invalid_request` or `unavailable`.
 */
export async function findStandards({
  q,
  brand,
  cursor,
  limit,
}: ListStandardsQuery): Promise<StandardsResponse> {
  const isSearch = hasWords(q ?? '');
  const decode: (cursor: string) => Keyset & Partial<KeyedKeyset> = isSearch
    ? decodeKeyedCursor
    : decodeCursor;
  const after = cursor ? decode(cursor) : undefined;
  const found = dataOf(
    await adminDb().rpc('find_standards', {
      p_q: q,
      p_brand: brand,
      p_after_key: after?.key,
      p_after_at: after?.createdAt,
      p_after_id: after?.id,
      p_limit: limit + 1,
    }),
  );
  const { rows, nextCursor } = cutPage(
    found,
    limit,
    isSearch ? ({ sort_key }) => sort_key ?? NO_KEY : undefined,
  );
  return {
    standards: rows.map((row) => ({
      specUploadId: row.id,
      brandName: row.brand_name,
      area: row.area,
      fileName: row.file_name,
      version: row.version,
      sectionsCount: row.sections,
    })),
    nextCursor,
  };
}
