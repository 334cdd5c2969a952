import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { refuse } from '@/supabase/local/backend/storage/storage-error';

export type UploadBody = {
  mimeType: string;
  /** Size from `content-length`; null if unknown. */
  announcedSize: number | null;
  bytes: AsyncIterable<Uint8Array>;
  /** Call this after reading all `bytes`, because fields can follow the file in a multipart body. */
  cacheControl(): string;
  /** JSON, or null if missing or invalid. Call this after reading all `bytes`. */
  userMetadata(): string | null;
};

/**
 * Does not normalize the content type, because hosted storage compares all of it, including parameters and case, with
 * the types that the bucket allows.
 */
const contentTypeOf = (value: string | undefined) => value || 'application/octet-stream';

function jsonOrNull(text: string | undefined): string | null {
  if (!text) return null;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return null;
  }
}

function rawBody(request: IncomingMessage): UploadBody {
  const { headers } = request;
  const metadata = headers['x-metadata'];
  return {
    mimeType: contentTypeOf(headers['content-type']),
    announcedSize: headers['content-length'] === undefined ? null : Number(headers['content-length']),
    // Keep the connection open when reading stops early, so that the error response can be sent.
    bytes: request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>,
    cacheControl: () => headers['cache-control'] ?? 'no-cache',
    userMetadata: () =>
      jsonOrNull(metadata === undefined ? undefined : Buffer.from(String(metadata), 'base64').toString()),
  };
}

async function* untilFinished(file: Readable, finished: Promise<void>): AsyncGenerator<Uint8Array> {
  // A lost connection ends neither the file part nor the parser. It only rejects `finished`, so end the part then.
  const broken = finished.then(
    () => new Promise<never>(() => {}),
    (error: Error) => {
      file.destroy(error);
      throw error;
    },
  );
  broken.catch(() => {});
  for await (const chunk of file) yield chunk as Uint8Array;
  await finished;
}

/**
 * Parses a multipart body. Resolves as soon as the file's headers have been read. The file's bytes are then streamed.
 */
function multipartBody(request: IncomingMessage, contentType: string): Promise<UploadBody> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    let hasFile = false;
    if (!/;\s*boundary=/i.test(contentType)) {
      throw refuse.invalidRequest('Invalid multipart body: the content type has no boundary');
    }
    const parser = new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      limits: { files: 1, fields: 10, fieldSize: 1 << 20, headerPairs: 50 },
      isPartAFile: (_field, type, filename) => filename !== undefined || type === 'application/octet-stream',
    });
    const finished = new Promise<void>((done, fail) => {
      parser.once('finish', () => done());
      parser.on('error', (error) => fail(refuse.invalidRequest(`Invalid multipart body: ${String(error)}`)));
      request.once('error', fail);
      request.once('aborted', () => fail(new Error('The connection was lost')));
    });
    finished.then(() => hasFile || reject(refuse.invalidRequest('Missing file in multipart upload')), reject);
    parser.on('field', (name, value) => fields.set(name, value));
    parser.on('file', (_name, file, _filename, _encoding, type) => {
      hasFile = true;
      // Ignore errors of the file, because `finished` has already rejected for the same reason.
      file.on('error', () => {});
      resolve({
        mimeType: contentTypeOf(fields.get('contentType') ?? type),
        announcedSize: null,
        bytes: untilFinished(file, finished),
        cacheControl: () => `max-age=${fields.get('cacheControl') ?? 3600}`,
        userMetadata: () => jsonOrNull(fields.get('metadata')),
      });
    });
    request.pipe(parser);
  });
}

/** Reads an upload, raw or multipart, as a stream. Throws StorageError. */
export async function readUpload(request: IncomingMessage): Promise<UploadBody> {
  const contentType = request.headers['content-type'] ?? '';
  return contentType.toLowerCase().startsWith('multipart/form-data')
    ? multipartBody(request, contentType)
    : rawBody(request);
}
