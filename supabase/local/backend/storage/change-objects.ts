import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Claims } from '@/supabase/local/backend/caller';
import { readJsonObject } from '@/supabase/local/backend/read-body';
import { json, type Reply } from '@/supabase/local/backend/reply';
import { requireObjectKey } from '@/supabase/local/backend/storage/object-key';
import { refuse } from '@/supabase/local/backend/storage/storage-error';
import {
  asCaller,
  requireBucket,
  requireObject,
  type StorageParts,
  type StoredObject,
} from '@/supabase/local/backend/storage/storage-parts';

async function readMove(parts: StorageParts, request: IncomingMessage) {
  const { bucketId, sourceKey, destinationBucket, destinationKey } = await readJsonObject(request);
  const from = { bucketId: String(bucketId ?? ''), key: requireObjectKey(sourceKey) };
  const to = { bucketId: String(destinationBucket ?? from.bucketId), key: requireObjectKey(destinationKey) };
  await requireBucket(parts, to.bucketId);
  return { from, to };
}

/** Gives an object another key or bucket without moving its bytes. Throws StorageError. */
export async function moveObject(
  parts: StorageParts,
  request: IncomingMessage,
  claims: Claims,
): Promise<Reply> {
  const { from, to } = await readMove(parts, request);
  await requireObject(parts, claims, 'object.move', from.bucketId, from.key);
  const rows = await asCaller(parts, claims, 'object.move', (query) =>
    query<{ id: string }>(
      `update storage.objects set bucket_id = $3, name = $4, updated_at = now()
       where bucket_id = $1 and name = $2 returning id`,
      [from.bucketId, from.key, to.bucketId, to.key],
    ),
  );
  if (!rows[0]) throw refuse.noSuchKey();
  return json({ message: 'Successfully moved', Id: rows[0].id, Key: `${to.bucketId}/${to.key}` });
}

/** Copies an object, under the caller's policies for select and insert. Throws StorageError. */
export async function copyObject(
  parts: StorageParts,
  request: IncomingMessage,
  claims: Claims,
): Promise<Reply> {
  const { from, to } = await readMove(parts, request);
  const source = await requireObject(parts, claims, 'object.copy', from.bucketId, from.key);
  const version = await parts.store.duplicate(source.version);
  const id = randomUUID();
  try {
    await asCaller(parts, claims, 'object.copy', (query) =>
      query(
        `insert into storage.objects (id, bucket_id, name, owner, owner_id, metadata, user_metadata, version)
         values ($1, $2, $3, $4::text::uuid, $4::text, $5::text::jsonb, $6::text::jsonb, $7)`,
        [
          id,
          to.bucketId,
          to.key,
          claims.sub ?? null,
          JSON.stringify(source.metadata),
          source.user_metadata && JSON.stringify(source.user_metadata),
          version,
        ],
      ),
    );
  } catch (error) {
    await parts.store.remove([version]);
    throw error;
  }
  return json({ Id: id, Key: `${to.bucketId}/${to.key}` });
}

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
