import { UpstreamError } from './error';

/** Reads a body of at most `maxBytes`. If it is longer, throws `content` and discards the rest. */
export async function readCapped(response: Response, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () => new UpstreamError('content', `a body of more than ${maxBytes} bytes`);
  if (Number(response.headers.get('content-length')) > maxBytes) {
    await response.body?.cancel();
    throw tooLarge();
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Throwing inside the loop cancels the stream.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
