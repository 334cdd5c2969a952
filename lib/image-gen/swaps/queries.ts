import { HttpError } from '@/lib/errors/problem';
import { afterKeyset, cutPage, decodeCursor } from '@/lib/http/page';
import { dataOf } from '@/lib/supabase/database-error';
import type { Db } from '@/lib/supabase/request';
import { listSwapJobs, variantColumns, variantRow, withUrls } from '../queries';
import type { ImageSwap, ListSwapsQuery, SwapWithJobs } from './schema';

const columns =
  `id,project_id,place,seed,created_by,created_at,image_variants(${variantColumns},job_id,deleted_at)` as const;

const swapRows = (db: Db) => db.from('image_swaps').select(columns);
type SwapRow = NonNullable<Awaited<ReturnType<typeof swapRows>>['data']>[number];

async function toSwaps(rows: SwapRow[]): Promise<ImageSwap[]> {
  const sources = rows.map(({ image_variants: image }) => (image?.deleted_at === null ? image : null));
  const signed = await withUrls(sources.flatMap((image) => (image ? [variantRow.parse(image)] : [])));
  const variantOf = new Map(signed.map((variant) => [variant.id, variant]));
  return rows.map((row, i) => {
    const source = sources[i];
    return {
      swapId: row.id,
      projectId: row.project_id,
      where: row.place,
      seed: row.seed,
      source: (source && variantOf.get(source.id)) ?? null,
      sourceJobId: source?.job_id ?? null,
      createdBy: row.created_by,
      createdAt: row.created_at,
    };
  });
}

/**
 * Returns one page of the material swaps that this user can see in a project, newest first. Throws `invalid_request` or
 * `unavailable`.
 */
export async function listSwaps(
  db: Db,
  { projectId, limit, cursor }: ListSwapsQuery,
): Promise<{ swaps: ImageSwap[]; nextCursor: string | null }> {
  let page = swapRows(db)
    .eq('project_id', projectId)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(limit + 1);
  if (cursor) page = page.or(afterKeyset(decodeCursor(cursor)));
  const { rows, nextCursor } = cutPage(dataOf(await page), limit);
  return { swaps: await toSwaps(rows), nextCursor };
}

/** Returns a material swap with its jobs. Throws `unavailable`, or `not_found` if this user cannot see the swap. */
export async function requireSwap(db: Db, swapId: string): Promise<SwapWithJobs> {
  const [swap] = await toSwaps(dataOf(await swapRows(db).eq('id', swapId).limit(1)));
  if (!swap) throw new HttpError('not_found');
  return { ...swap, jobs: await listSwapJobs(db, swapId) };
}
