import type { Claims } from '@/supabase/local/backend/caller';
import type { Database, DatabaseRow, Query } from '@/supabase/local/backend/database';
import type { ByteStore } from '@/supabase/local/backend/storage/byte-store';
import type { SignedTokens } from '@/supabase/local/backend/storage/signed-tokens';
import { fromDatabase, refuse } from '@/supabase/local/backend/storage/storage-error';

export type StorageParts = { database: Database; store: ByteStore; signed: SignedTokens };

export type Bucket = {
  id: string;
  public: boolean;
  file_size_limit: number | null;
  allowed_mime_types: string[] | null;
};

export type StoredObject = {
  id: string;
  bucket_id: string;
  name: string;
  version: string;
  metadata: DatabaseRow | null;
  user_metadata: DatabaseRow | null;
  created_at: string;
  updated_at: string;
};

/** Returns the items of `value` as strings. Throws StorageError unless `value` is a list of 1 to `max` items. */
export function requireItems(name: string, value: unknown, max = Number.POSITIVE_INFINITY): string[] {
  if (!Array.isArray(value)) throw refuse.invalidRequest(`body must have required property '${name}'`);
  if (value.length === 0) throw refuse.invalidRequest(`body/${name} must NOT have fewer than 1 items`);
  if (value.length > max) throw refuse.invalidRequest(`body/${name} must NOT have more than ${max} items`);
  return value.map(String);
}

/** Returns a bucket without an access check. Throws `NoSuchBucket`. */
export async function requireBucket({ database }: StorageParts, id: string): Promise<Bucket> {
  const [bucket] = await database.query<Bucket>(
    'select id, public, file_size_limit, allowed_mime_types from storage.buckets where id = $1',
    [id],
  );
  if (!bucket) throw refuse.noSuchBucket();
  return bucket;
}

/** Runs statements under the caller's policies. Converts their errors with `fromDatabase`. */
export async function asCaller<Result>(
  { database }: StorageParts,
  claims: Claims,
  operation: string,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.asCaller(claims, `storage.${operation}`, work);
  } catch (error) {
    throw fromDatabase(error);
  }
}

/**
 * Returns an object, under the caller's policies. Throws `NoSuchKey` if it does not exist or the caller may not see it.
 */
export async function requireObject(
  parts: StorageParts,
  claims: Claims,
  operation: string,
  bucketId: string,
  name: string,
): Promise<StoredObject> {
  const [found] = await asCaller(parts, claims, operation, (query) =>
    query<StoredObject>('select * from storage.objects where bucket_id = $1 and name = $2', [bucketId, name]),
  );
  if (!found) throw refuse.noSuchKey();
  return found;
}

/** Returns an object without an access check, for public buckets and signed URLs. Throws `NoSuchKey`. */
export async function requireObjectUnchecked(
  { database }: StorageParts,
  bucketId: string,
  name: string,
): Promise<StoredObject> {
  const [found] = await database.query<StoredObject>(
    'select * from storage.objects where bucket_id = $1 and name = $2',
    [bucketId, name],
  );
  if (!found) throw refuse.noSuchKey();
  return found;
}
