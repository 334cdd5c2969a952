import type { Claims } from '@/supabase/local/backend/caller';
import {
  asCaller,
  type StorageParts,
  type StoredObject,
} from '@/supabase/local/backend/storage/storage-parts';

/** Deletes and returns the objects that the caller may delete. Skips the rest. */
export async function deleteObjects(
  parts: StorageParts,
  claims: Claims,
  bucketId: string,
  keys: string[],
): Promise<StoredObject[]> {
  const rows = await asCaller(parts, claims, 'object.delete_many', async (query) => {
    await query("select set_config('storage.allow_delete_query', 'true', true)");
    return query<StoredObject>(
      'delete from storage.objects where bucket_id = $1 and name = any($2::text[]) returning *',
      [bucketId, keys],
    );
  });
  await parts.store.remove(rows.map((row) => row.version));
  return rows;
}
