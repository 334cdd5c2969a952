import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Claims } from '@/supabase/local/backend/caller';
import { json, type Reply } from '@/supabase/local/backend/reply';
import { requireObjectKey } from '@/supabase/local/backend/storage/object-key';
import { fromDatabase, refuse } from '@/supabase/local/backend/storage/storage-error';
import {
  type Bucket,
  requireBucket,
  type StorageParts,
} from '@/supabase/local/backend/storage/storage-parts';
import { readUpload, type UploadBody } from '@/supabase/local/backend/storage/upload-body';

/** Hosted storage's default size limit for a file. */
const MAX_BYTES = 50 << 20;

export type ObjectTarget = { bucketId: string; key: string; upsert: boolean };

class RolledBack extends Error {}

/** Throws StorageError unless the caller's policies allow the upload. Tries the insert and rolls it back. */
export async function requireUploadAllowed(
  parts: StorageParts,
  claims: Claims,
  { bucketId, key, upsert }: ObjectTarget,
  upload: { mimeType: string | null; size: number | null },
): Promise<void> {
  const onConflict = upsert
    ? 'on conflict (bucket_id, name) do update set updated_at = now(), owner_id = excluded.owner_id'
    : '';
  try {
    await parts.database.asCaller(claims, 'storage.object.upload', async (query) => {
      await query(
        `insert into storage.objects (bucket_id, name, owner, owner_id, metadata, version)
         values ($1, $2, $3::text::uuid, $3::text, $4::text::jsonb, 'probe') ${onConflict}`,
        [bucketId, key, claims.sub ?? null, JSON.stringify({ mimetype: upload.mimeType, size: upload.size })],
      );
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw fromDatabase(error);
  }
}

function requireMimeType({ allowed_mime_types: allowed }: Bucket, mimeType: string): void {
  if (!allowed?.length) return;
  const fits = (pattern: string) =>
    pattern === '*/*' ||
    pattern === mimeType ||
    (pattern.endsWith('/*') && mimeType.startsWith(pattern.slice(0, -1)));
  if (!allowed.some(fits)) throw refuse.mimeType(mimeType);
}

type Outcome = { id: string; replaced: string | null } | 'exists';

async function writeRow(
  { database }: StorageParts,
  target: ObjectTarget,
  owner: string | null,
  row: { version: string; metadata: string; userMetadata: string | null },
): Promise<Outcome> {
  const { bucketId, key, upsert } = target;
  return database.transaction<Outcome>(async (query) => {
    // Serialize uploads to the same key, so that each replaced version is known and its bytes are removed.
    await query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${bucketId}/${key}`]);
    const [old] = await query<{ version: string }>(
      'select version from storage.objects where bucket_id = $1 and name = $2',
      [bucketId, key],
    );
    if (old && !upsert) return 'exists';
    const [written] = await query<{ id: string }>(
      `insert into storage.objects (id, bucket_id, name, owner, owner_id, metadata, user_metadata, version)
       values ($1, $2, $3, $4::text::uuid, $4::text, $5::text::jsonb, $6::text::jsonb, $7)
       on conflict (bucket_id, name) do update set
         metadata = excluded.metadata, user_metadata = excluded.user_metadata, version = excluded.version,
         owner = excluded.owner, owner_id = excluded.owner_id, updated_at = now()
       returning id`,
      [randomUUID(), bucketId, key, owner, row.metadata, row.userMetadata, row.version],
    );
    return { id: written?.id ?? '', replaced: old?.version ?? null };
  });
}

/**
 * Stores an uploaded object. Calls `isAllowed`, which throws to reject the upload, once the file's type is known and
 * before its bytes are read. After a rejection, an invalid body or a lost connection, stores neither bytes nor a row.
 * Throws StorageError.
 */
export async function storeObject(
  parts: StorageParts,
  request: IncomingMessage,
  target: ObjectTarget,
  owner: string | null,
  isAllowed: (upload: UploadBody) => Promise<void>,
): Promise<Reply> {
  requireObjectKey(target.key);
  const bucket = await requireBucket(parts, target.bucketId);
  const limit = bucket.file_size_limit ?? MAX_BYTES;
  const upload = await readUpload(request);
  requireMimeType(bucket, upload.mimeType);
  if ((upload.announcedSize ?? 0) > limit) throw refuse.tooLarge();
  await isAllowed(upload);
  const { version, size, md5 } = await parts.store.write(upload.bytes, limit);
  let outcome: Outcome;
  try {
    const metadata = JSON.stringify({
      eTag: `"${md5}"`,
      size,
      mimetype: upload.mimeType,
      cacheControl: upload.cacheControl(),
      lastModified: new Date().toISOString(),
      contentLength: size,
      httpStatusCode: 200,
    });
    outcome = await writeRow(parts, target, owner, {
      version,
      metadata,
      userMetadata: upload.userMetadata(),
    });
    if (outcome === 'exists') throw refuse.duplicate();
  } catch (error) {
    await parts.store.remove([version]);
    throw fromDatabase(error);
  }
  // The object is stored. If its old file cannot be removed now, the next start removes it.
  await parts.store.remove([outcome.replaced]).catch(() => undefined);
  return json({ Id: outcome.id, Key: `${target.bucketId}/${target.key}` });
}
