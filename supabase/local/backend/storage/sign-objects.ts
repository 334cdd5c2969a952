import type { IncomingMessage } from 'node:http';
import type { Claims } from '@/supabase/local/backend/caller';
import { readJsonObject } from '@/supabase/local/backend/read-body';
import { json, type Reply } from '@/supabase/local/backend/reply';
import { requireObjectKey } from '@/supabase/local/backend/storage/object-key';
import { requireUploadAllowed } from '@/supabase/local/backend/storage/put-object';
import { refuse } from '@/supabase/local/backend/storage/storage-error';
import {
  asCaller,
  requireBucket,
  requireItems,
  requireObject,
  type StorageParts,
} from '@/supabase/local/backend/storage/storage-parts';

/** Maximum number of URLs per request, as in hosted storage. */
const MAX_SIGNED = 1000;

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/');

function requireSeconds(value: unknown): number {
  const seconds = Number(value);
  if (!Number.isInteger(seconds) || seconds < 1) {
    throw refuse.invalidRequest('body/expiresIn must be a whole number of seconds, at least 1');
  }
  return seconds;
}

/**
 * Creates a signed download URL for `key` or, if `key` is empty, for each of the body's `paths`. If one of the `paths`
 * has no object or the caller may not read it, the response contains an error instead of that path's URL. Throws
 * StorageError.
 */
export async function signDownloads(
  parts: StorageParts,
  request: IncomingMessage,
  claims: Claims,
  bucketId: string,
  key: string,
): Promise<Reply> {
  const body = await readJsonObject(request);
  const seconds = requireSeconds(body.expiresIn);
  // storage-js encodes the URL, so the path must not be encoded here.
  const sign = async (name: string) =>
    `/object/sign/${bucketId}/${name}?token=${await parts.signed.signDownload(`${bucketId}/${name}`, seconds)}`;
  if (key) {
    const { name } = await requireObject(parts, claims, 'object.sign', bucketId, key);
    return json({ signedURL: await sign(name) });
  }
  const paths = requireItems('paths', body.paths, MAX_SIGNED);
  const rows = await asCaller(parts, claims, 'object.sign_many', (query) =>
    query<{ name: string }>(
      'select name from storage.objects where bucket_id = $1 and name = any($2::text[])',
      [bucketId, paths],
    ),
  );
  const visible = new Set(rows.map((row) => row.name));
  const error = 'Either the object does not exist or you do not have access to it';
  const responses = paths.map(async (path) =>
    visible.has(path) ? { error: null, path, signedURL: await sign(path) } : { error, path, signedURL: null },
  );
  return json(await Promise.all(responses));
}

/** Creates a signed URL that can be used for two hours to upload the target object. Throws StorageError. */
export async function signUpload(
  parts: StorageParts,
  claims: Claims,
  target: { bucketId: string; key: string; upsert: boolean },
): Promise<Reply> {
  const { bucketId, key, upsert } = target;
  requireObjectKey(key);
  await requireBucket(parts, bucketId);
  await requireUploadAllowed(parts, claims, target, { mimeType: null, size: null });
  const token = await parts.signed.signUpload(`${bucketId}/${key}`, claims.sub ?? null, upsert);
  return json({ url: `/object/upload/sign/${bucketId}/${encodePath(key)}?token=${token}`, token });
}
