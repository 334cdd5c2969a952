import type { IncomingMessage } from 'node:http';
import { isDiskFull } from '@/lib/errors/error-parts';
import { InvalidToken, type Tokens } from '@/supabase/local/backend/auth/tokens';
import { type ApiKeys, type Claims, identify, NotAllowed, presented } from '@/supabase/local/backend/caller';
import { readJsonObject } from '@/supabase/local/backend/read-body';
import { json, type Reply } from '@/supabase/local/backend/reply';
import { deleteObjects } from '@/supabase/local/backend/storage/delete-objects';
import { listObjects } from '@/supabase/local/backend/storage/list-objects';
import { requireObjectKey, urlParts } from '@/supabase/local/backend/storage/object-key';
import { requireUploadAllowed, storeObject } from '@/supabase/local/backend/storage/put-object';
import { describeObject, sendObject } from '@/supabase/local/backend/storage/send-object';
import { signDownloads, signUpload } from '@/supabase/local/backend/storage/sign-objects';
import { errorReply, refuse, StorageError } from '@/supabase/local/backend/storage/storage-error';
import {
  asCaller,
  requireBucket,
  requireItems,
  requireObject,
  requireObjectUnchecked,
  type StorageParts,
} from '@/supabase/local/backend/storage/storage-parts';

type Call = {
  parts: StorageParts;
  request: IncomingMessage;
  search: URLSearchParams;
  claims: () => Promise<Claims>;
};

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';

async function signedUpload({ parts, request, search, claims }: Call, [bucketId = '', ...rest]: string[]) {
  const key = rest.join('/');
  if (request.method === 'POST') {
    const upsert = request.headers['x-upsert'] === 'true';
    return signUpload(parts, await claims(), { bucketId, key, upsert });
  }
  if (request.method !== 'PUT') throw refuse.noRoute();
  const token = await parts.signed.verifyUpload(search.get('token') ?? '', `${bucketId}/${key}`);
  return storeObject(parts, request, { bucketId, key, upsert: token.upsert }, token.owner, async () => {});
}

async function signedDownload({ parts, request, search, claims }: Call, [bucketId = '', ...rest]: string[]) {
  const key = rest.join('/');
  if (request.method === 'POST') return signDownloads(parts, request, await claims(), bucketId, key);
  if (!isRead(request)) throw refuse.noRoute();
  await parts.signed.verifyDownload(search.get('token') ?? '', `${bucketId}/${key}`);
  return sendObject(parts.store, request, search, await requireObjectUnchecked(parts, bucketId, key));
}

async function readObject(call: Call, path: string[], isInfo: boolean): Promise<Reply> {
  const { parts, request, search } = call;
  const [access = ''] = path;
  const isNamed = access === 'public' || access === 'authenticated';
  const [bucketId = '', ...rest] = isNamed ? path.slice(1) : path;
  const key = rest.join('/');
  const bucket = await requireBucket(parts, bucketId);
  if (access === 'public' && !bucket.public) throw refuse.noSuchBucket();
  const object =
    bucket.public && access !== 'authenticated'
      ? await requireObjectUnchecked(parts, bucketId, key)
      : await requireObject(parts, await call.claims(), 'object.get_authenticated', bucketId, key);
  return isInfo ? describeObject(object) : sendObject(parts.store, request, search, object);
}

async function writeObject(
  { parts, request, claims }: Call,
  [bucketId = '', ...rest]: string[],
): Promise<Reply> {
  const caller = await claims();
  const key = rest.join('/');
  if (request.method === 'DELETE') {
    if (key) {
      const removed = await deleteObjects(parts, caller, bucketId, [requireObjectKey(key)]);
      if (removed.length === 0) throw refuse.noSuchKey();
      return json({ message: 'Successfully deleted' });
    }
    const { prefixes } = await readJsonObject(request);
    return json(await deleteObjects(parts, caller, bucketId, requireItems('prefixes', prefixes)));
  }
  const upsert = request.method === 'PUT' || request.headers['x-upsert'] === 'true';
  const target = { bucketId, key, upsert };
  return storeObject(parts, request, target, caller.sub ?? null, ({ mimeType, announcedSize }) =>
    requireUploadAllowed(parts, caller, target, { mimeType, size: announcedSize }),
  );
}

async function objectRoute(call: Call, path: string[]): Promise<Reply> {
  const { parts, request, claims } = call;
  const [first = '', second = ''] = path;
  const isPost = request.method === 'POST';
  if (first === 'upload' && second === 'sign') return signedUpload(call, path.slice(2));
  if (first === 'sign') return signedDownload(call, path.slice(1));
  if (first === 'list' && isPost) return listObjects(parts, request, await claims(), second);
  if (isPost && ['list-v2', 'move', 'copy'].includes(first)) throw refuse.unavailable(first);
  if (isRead(request)) return readObject(call, first === 'info' ? path.slice(1) : path, first === 'info');
  if (['POST', 'PUT', 'DELETE'].includes(request.method ?? '')) return writeObject(call, path);
  throw refuse.noRoute();
}

/** Returns the bucket with this id, or all buckets without one. Migrations create and change buckets. */
async function readBuckets(
  parts: StorageParts,
  request: IncomingMessage,
  claims: Claims,
  [id]: string[],
): Promise<Reply> {
  if (request.method !== 'GET') throw refuse.unavailable('changing buckets');
  const rows = await asCaller(parts, claims, id ? 'bucket.get' : 'bucket.list', (query) =>
    query('select * from storage.buckets where $1::text is null or id = $1 order by id', [id ?? null]),
  );
  if (id && !rows[0]) throw refuse.noSuchBucket();
  return json(id ? rows[0] : rows);
}

/** Returns the handler of /storage/v1. Using a signed URL and reading a public object require no API key. */
export function storageRoutes(parts: StorageParts, keys: ApiKeys, tokens: Tokens) {
  return async (request: IncomingMessage, url: URL): Promise<Reply> => {
    const search = url.searchParams;
    const claims = () => identify(keys, tokens, presented(request.headers, search));
    try {
      const [area = '', ...path] = urlParts(request.url ?? '');
      if (area === 'object') return await objectRoute({ parts, request, search, claims }, path);
      if (area === 'bucket') return await readBuckets(parts, request, await claims(), path);
      if (area === 'render') throw refuse.unavailable('image transformation');
      if (area === 'upload') throw refuse.unavailable('resumable upload');
      throw refuse.noRoute();
    } catch (error) {
      if (error instanceof StorageError) return errorReply(error);
      if (error instanceof InvalidToken) {
        return errorReply(new StorageError(403, 'InvalidJWT', error.message, 'Unauthorized'));
      }
      if (error instanceof NotAllowed) {
        return json(
          { statusCode: '401', error: 'Unauthorized', code: 'NotAllowed', message: error.message },
          401,
        );
      }
      if (isDiskFull(error)) return errorReply(refuse.diskFull());
      throw error;
    }
  };
}
