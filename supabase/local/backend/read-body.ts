import type { IncomingMessage } from 'node:http';

/** Thrown when a request body exceeds its limit. */
export class BodyTooLarge extends Error {
  override name = 'BodyTooLarge';
}

/** Reads the body of a request. Throws BodyTooLarge above `limit` bytes. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer<ArrayBuffer>> {
  const tooLarge = () => new BodyTooLarge(`The body is larger than ${limit} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads the body as a JSON object. Returns {} if it is anything else. Throws BodyTooLarge above 1 MiB. */
export async function readJsonObject(request: IncomingMessage): Promise<Record<string, unknown>> {
  const text = (await readBody(request, 1 << 20)).toString();
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
