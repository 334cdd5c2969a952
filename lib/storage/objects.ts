import { Readable } from 'node:stream';
import { serverEnv } from '@/lib/env/server';
import { HttpError } from '@/lib/errors/problem';
import { fetchFromOrigins } from '@/lib/http/fetch-from-origins';
import { adminDb, adminTransfers } from '@/lib/supabase/admin';
import { type SpooledFile, spool } from './spool';

/** The lifetime, in seconds, of a signed URL for viewing a file. */
export const VIEW_URL_S = 60 * 60;

function split(path: string): { bucket: string; key: string } {
  const slash = path.indexOf('/');
  return { bucket: path.slice(0, slash), key: path.slice(slash + 1) };
}

/** Returns the error for a storage call that failed because of `cause`. */
export function unavailable(cause: unknown): HttpError {
  return new HttpError('unavailable', 'File storage is unavailable.', { retryAfter: 5, cause });
}

/**
 * Returns whether storage rejected a file as too large. Checks the status in the response body, because the HTTP status
 * may be 400.
 */
const isTooLarge = (error: Error) => 'statusCode' in error && Number(error.statusCode) === 413;

/**
 * Stores a file at `path` (`bucket/key`). Pass a stream if the file may be large. Overwrites a file only with
 * `replace`. Throws `too_large` if the file exceeds a storage limit, and `internal` if storage normalizes the path.
 * Throws `unavailable` if storage rejects the file for another reason or if `signal` aborts. A rejected file is not
 * stored. If storage receives a file completely before an abort, the file stays until the sweep removes it.
 */
export async function putObject(
  path: string,
  body: ReadableStream | Uint8Array,
  { contentType, replace = false, signal }: { contentType: string; replace?: boolean; signal?: AbortSignal },
): Promise<void> {
  const { bucket, key } = split(path);
  const { data, error } = await adminTransfers({ stop: signal })
    .storage.from(bucket)
    .upload(key, body, { contentType, duplex: 'half', upsert: replace });
  if (error && isTooLarge(error)) {
    throw new HttpError('too_large', 'The file is larger than file storage accepts.', { cause: error });
  }
  if (error) throw unavailable(error);
  // Storage may normalize the key and store the file at another path. Remove it from there.
  if (data.fullPath !== path) {
    const landed = split(data.fullPath);
    await adminDb().storage.from(landed.bucket).remove([landed.key]);
    throw new HttpError('internal', undefined, { cause: new Error(`stored under ${data.fullPath}`) });
  }
}

/** Removes files and ignores missing ones. Throws `unavailable`. */
export async function removeObjects(paths: string[]): Promise<void> {
  const byBucket = Map.groupBy(paths.map(split), ({ bucket }) => bucket);
  for (const [bucket, objects] of byBucket) {
    const { error } = await adminDb()
      .storage.from(bucket)
      .remove(objects.map(({ key }) => key));
    if (error) throw unavailable(error);
  }
}

/** Number of paths to sign per call. Hosted storage accepts at most 1,000. */
const SIGNED_AT_ONCE = 500;

/**
 * Returns a signed URL for each path, in the given order, or null for a missing file. All paths must be in the same
 * bucket. Throws `unavailable`.
 */
export async function signedUrls(paths: string[], seconds: number): Promise<(string | null)[]> {
  const urls: (string | null)[] = [];
  for (let from = 0; from < paths.length; from += SIGNED_AT_ONCE) {
    urls.push(...(await signSome(paths.slice(from, from + SIGNED_AT_ONCE), seconds)));
  }
  return urls;
}

async function signSome(paths: string[], seconds: number): Promise<(string | null)[]> {
  const { bucket } = split(paths[0] ?? '');
  const { data, error } = await adminDb()
    .storage.from(bucket)
    .createSignedUrls(
      paths.map((path) => split(path).key),
      seconds,
    );
  if (error) throw unavailable(error);
  const byKey = new Map(data.map((item) => [item.path, item.error ? null : item.signedUrl]));
  return paths.map((path) => byKey.get(split(path).key) ?? null);
}

/** Requests a file; returns null if it is missing. */
async function fetchObject(path: string, signal: AbortSignal): Promise<Response | null> {
  const [url] = await signedUrls([path], 60);
  if (!url) return null;
  const { origin } = new URL(serverEnv().NEXT_PUBLIC_SUPABASE_URL);
  const response = await fetchFromOrigins([origin], url, { signal });
  if (response.ok) return response;
  await response.body?.cancel();
  // Storage returns 400 or 404 for a missing file. Other errors are temporary.
  if (response.status === 400 || response.status === 404) return null;
  throw new Error(`storage returned ${response.status}`);
}

/**
 * Returns a file as a stream, or null if it is missing. The stream fails after 5 minutes, or when `signal` aborts.
 * Throws `unavailable`.
 */
export async function streamObject(
  path: string,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | null> {
  try {
    const response = await fetchObject(path, AbortSignal.any([signal, AbortSignal.timeout(5 * 60_000)]));
    return response?.body ?? null;
  } catch (cause) {
    throw unavailable(cause);
  }
}

export type StoredFile = { bytes: Uint8Array; contentType: string };

/**
 * Returns a file, or null if it is missing or larger than `maxBytes`. Throws `unavailable`, including when `signal`
 * aborts.
 */
export async function readStoredFile(
  path: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<StoredFile | null> {
  try {
    const limit = AbortSignal.timeout(60_000);
    const response = await fetchObject(path, signal ? AbortSignal.any([signal, limit]) : limit);
    if (!response) return null;
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > maxBytes) return null;
      chunks.push(chunk);
    }
    const contentType = response.headers.get('content-type') ?? '';
    return { bytes: Buffer.concat(chunks, size), contentType };
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** Returns the bytes of a file, like `readStoredFile`. */
export async function readObject(
  path: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array | null> {
  return (await readStoredFile(path, maxBytes, signal))?.bytes ?? null;
}

/**
 * Copies a file from storage to disk, so that it is not held in memory. Returns null if the file is missing. The caller
 * must close the handle. Throws `unavailable`, including when the file exceeds `maxBytes` or `signal` aborts.
 */
export async function spoolObject(
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<SpooledFile | null> {
  try {
    const response = await fetchObject(path, AbortSignal.any([signal, AbortSignal.timeout(60_000)]));
    return response && (await spool(Readable.from(response.body ?? []), maxBytes));
  } catch (cause) {
    throw unavailable(cause);
  }
}

/**
 * Returns a signed URL for each path, in the given order. Each URL accepts one PUT without an API key. Throws
 * `unavailable`.
 */
export async function signedUploadUrls(paths: string[]): Promise<{ path: string; url: string }[]> {
  return Promise.all(
    paths.map(async (path) => {
      const { bucket, key } = split(path);
      const { data, error } = await adminDb().storage.from(bucket).createSignedUploadUrl(key);
      if (error) throw unavailable(error);
      return { path, url: data.signedUrl };
    }),
  );
}

/**
 * Returns the size limit of a bucket's files in bytes, or null if the bucket does not set one. Throws `unavailable`.
 */
export async function sizeLimit(bucket: string): Promise<number | null> {
  const { data, error } = await adminDb().storage.getBucket(bucket);
  if (error) throw unavailable(error);
  return data.file_size_limit ?? null;
}

/** Throws `unavailable` unless storage responds and has the bucket `exports`. */
export async function requireStorage(): Promise<void> {
  const { error } = await adminDb().storage.getBucket('exports');
  if (error) throw unavailable(error);
}
