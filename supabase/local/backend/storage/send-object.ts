import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { json, type Reply } from '@/supabase/local/backend/reply';
import type { ByteStore } from '@/supabase/local/backend/storage/byte-store';
import type { StoredObject } from '@/supabase/local/backend/storage/storage-parts';

function facts({ metadata, updated_at }: StoredObject) {
  return {
    size: Number(metadata?.size ?? 0),
    mimeType: String(metadata?.mimetype ?? 'application/octet-stream'),
    cacheControl: String(metadata?.cacheControl ?? 'no-cache'),
    eTag: String(metadata?.eTag ?? ''),
    lastModified: new Date(String(metadata?.lastModified ?? updated_at)),
  };
}

function disposition(search: URLSearchParams): Record<string, string> {
  const name = search.get('download');
  if (name === null) return {};
  if (name === '') return { 'content-disposition': 'attachment' };
  const ascii = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  return { 'content-disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}` };
}

/** Returns the requested byte range, undefined for the whole file, or null if the range cannot be satisfied. */
function wantedRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | null | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (!from && !to) return undefined;
  const start = from ? Number(from) : Math.max(0, size - Number(to));
  const end = from && to ? Math.min(Number(to), size - 1) : size - 1;
  return start > end || start >= size ? null : { start, end };
}

const ACTIVE_TYPES = /^(text\/html|application\/xhtml|image\/svg|text\/xml|application\/xml)/i;

/** Returns a response that contains an object. Supports conditional requests, ranges and the `download` parameter. */
export function sendObject(
  store: ByteStore,
  request: IncomingMessage,
  search: URLSearchParams,
  object: StoredObject,
): Reply {
  const { size, mimeType, cacheControl, eTag, lastModified } = facts(object);
  const headers: Record<string, string> = {
    'content-type': mimeType,
    'cache-control': cacheControl,
    etag: eTag,
    'last-modified': lastModified.toUTCString(),
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    ...(ACTIVE_TYPES.test(mimeType) ? { 'content-security-policy': "default-src 'none'; sandbox" } : {}),
    ...disposition(search),
  };
  const known = request.headers['if-none-match'];
  const since = Date.parse(request.headers['if-modified-since'] ?? '');
  const isFresh = known
    ? known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === eTag || tag.trim() === '*')
    : Math.floor(lastModified.getTime() / 1_000) * 1_000 <= since;
  if (isFresh) return { status: 304, headers };

  const ifRange = request.headers['if-range'];
  const isRangeValid = ifRange === undefined || ifRange === eTag || ifRange === headers['last-modified'];
  const range = isRangeValid ? wantedRange(request.headers.range, size) : undefined;
  if (range === null) {
    return { ...json({ message: 'Range not satisfiable' }, 416, { 'content-range': `bytes */${size}` }) };
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  headers['content-length'] = String(end - start + 1);
  if (range) headers['content-range'] = `bytes ${start}-${end}/${size}`;
  const status = range ? 206 : 200;
  if (request.method === 'HEAD' || size === 0) return { status, headers };
  return { status, headers, body: Readable.from(store.read(object.version, start, end)) };
}

/** Returns an object's metadata, for storage-js's info(). */
export function describeObject(object: StoredObject): Reply {
  const { size, mimeType, cacheControl, eTag, lastModified } = facts(object);
  return json({
    id: object.id,
    name: object.name,
    version: object.version,
    bucket_id: object.bucket_id,
    size,
    content_type: mimeType,
    cache_control: cacheControl,
    etag: eTag,
    metadata: object.user_metadata ?? {},
    last_modified: lastModified.toISOString(),
    created_at: object.created_at,
  });
}
