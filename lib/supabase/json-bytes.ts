import type { PostgrestError } from '@supabase/supabase-js';
import { type Bytes, joinBytes } from '@/lib/http/join-bytes';
import { HttpError, isHttpError } from '@/lib/http/problem';
import { dataOf } from './database-error';

const unavailable = (cause: unknown) =>
  new HttpError('unavailable', 'The database is unavailable.', { retryAfter: 5, cause });

// supabase-js parses and writes all JSON on the thread that calls it, which takes too long for a whole document.

/** Changes what a client's `fetch` sends or returns. */
export type FetchThrough = (inner: typeof fetch) => typeof fetch;

/** Sends `body` in place of the JSON that the client writes. */
export function sendingJson(body: Bytes): FetchThrough {
  return (inner) => (input, init) => inner(input, { ...init, body });
}

/**
 * Returns the JSON of a response without parsing it. `ask` makes its call with a client whose `fetch` goes `through`
 * this. Throws what `dataOf` throws, and what `take`, which is told the size of each chunk as it arrives.
 */
export async function readingJson(
  ask: (
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
    // The client would take what is thrown here for an error of the network, and try again.
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
  dataOf(await ask(through));
  if (refusal) throw refusal;
  return joinBytes(chunks);
}
