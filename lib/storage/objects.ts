import { HttpError } from '@/lib/http/problem';
import { adminDb, adminTransfers } from '@/lib/supabase/admin';

/** Seconds that a signed address for looking at a file stays good. */
export const VIEW_URL_S = 60 * 60;

function split(path: string): { bucket: string; key: string } {
  const slash = path.indexOf('/');
  return { bucket: path.slice(0, slash), key: path.slice(slash + 1) };
}

/**
 * Stores a file under `path` (`bucket/key`) from a stream; nothing is held in memory and nothing is overwritten.
 * Throws `unavailable` when storage does not take it, and then nothing stays behind.
 */
export async function putObject(path: string, stream: ReadableStream, contentType: string): Promise<void> {
  const { bucket, key } = split(path);
  const { data, error } = await adminTransfers()
    .storage.from(bucket)
    .upload(key, stream, { contentType, duplex: 'half', upsert: false });
  if (error) throw new HttpError('unavailable', 'The file store is away.', { retryAfter: 5, cause: error });
  // A key that storage reads in another way than we do may land in another place: then it must not stay.
  if (data.fullPath !== path) {
    const landed = split(data.fullPath);
    await adminDb().storage.from(landed.bucket).remove([landed.key]);
    throw new HttpError('internal', undefined, { cause: new Error(`stored under ${data.fullPath}`) });
  }
}

/** Removes files; one that is not there is fine. Throws `unavailable`. */
export async function removeObjects(paths: string[]): Promise<void> {
  const byBucket = Map.groupBy(paths.map(split), ({ bucket }) => bucket);
  for (const [bucket, objects] of byBucket) {
    const { error } = await adminDb()
      .storage.from(bucket)
      .remove(objects.map(({ key }) => key));
    if (error) throw new HttpError('unavailable', 'The file store is away.', { retryAfter: 5, cause: error });
  }
}

/** Signed addresses for files of one bucket, in the order asked; null where a file is missing. Throws `unavailable`. */
export async function signedUrls(paths: string[], seconds: number): Promise<(string | null)[]> {
  const first = paths[0];
  if (first === undefined) return [];
  const { bucket } = split(first);
  const { data, error } = await adminDb()
    .storage.from(bucket)
    .createSignedUrls(
      paths.map((path) => split(path).key),
      seconds,
    );
  if (error) throw new HttpError('unavailable', 'The file store is away.', { retryAfter: 5, cause: error });
  const byKey = new Map(data.map((item) => [item.path, item.error ? null : item.signedUrl]));
  return paths.map((path) => byKey.get(split(path).key) ?? null);
}
