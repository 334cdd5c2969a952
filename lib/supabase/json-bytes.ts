import type { PostgrestError } from '@supabase/supabase-js';
import { HttpError, isHttpError } from '@/lib/errors/problem';
import { type Bytes, joinBytes } from '@/lib/http/join-bytes';
import { dataOf } from './database-error';

const unavailable = (cause: unknown) =>
  new HttpError('unavailable', 'The database is unavailable.', { retryAfter: 5, cause });

// supabase-js parses and serializes all JSON on the calling thread, which takes too long for a whole document. The
// functions below avoid that.

/** Wraps a client's `fetch` to change what it sends or returns. */
export type FetchThrough = (inner: typeof fetch) => typeof fetch;

/** Makes a client send `body` instead of the JSON that it has serialized. */
export function sendingJson(body: Bytes): FetchThrough {
  return (inner) => (input, init) => inner(input, { ...init, body });
}

/**
 * Returns the JSON of a database response as bytes, without parsing it. `query` runs the request on a client whose
 * `fetch` is wrapped with `through`. `take` receives the size of each chunk in bytes, and can throw an HttpError to
 * reject the response. Throws the errors of `dataOf` and `take`, and `unavailable` if the connection breaks.
 */
export async function readingJson(
  query: (
    through: FetchThrough,
  ) => PromiseLike<{ data: unknown; error: PostgrestError | null; status: number }>,
  take: (size: number) => void = () => undefined,
): Promise<Bytes> {
  let chunks: Uint8Array[] = [];
  let refusal: unknown;
  const through: FetchThrough = (inner) => async (input, init) => {
    const response = await inner(input, init);
    if (!response.ok || !response.body) return response;
    chunks = [];
    // Do not throw here, because the client would treat the error as a network error and retry a read.
    try {
      for await (const chunk of response.body) {
        take(chunk.byteLength);
        chunks.push(chunk);
      }
    } catch (error) {
      refusal = isHttpError(error) ? error : unavailable(error);
    }
    return new Response('[]', { status: response.status });
  };
  dataOf(await query(through));
  if (refusal) throw refusal;
  return joinBytes(chunks);
}
