import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { HttpError, isHttpError } from '@/lib/errors/problem';
import { drain, type Pace, steadyChunksOf } from './drain';

type MultipartOptions<File> = {
  /** The name of the form's only file part. */
  fileField: string;
  /**
   * The limit for the whole form: the file's own limit plus framing and text parts. It is only compared with
   * `Content-Length`, so `onFile` must limit the file itself.
   */
  maxBytes: number;
  /** Consumes the file's bytes as they arrive; its result is returned as `file`. */
  onFile: (stream: Readable, info: { fileName: string }) => Promise<File>;
  /** Discards the result of `onFile`. Called if the rest of the form is invalid or cannot be read. */
  onDiscard?: (file: File) => Promise<void>;
  pace?: Pace;
};

/**
 * Returns the error to send if the file cannot be read. A system error (full disk, no file handles left) becomes
 * `unavailable`, because the sender did not cause it.
 */
function readingFailed(error: unknown): HttpError {
  const ours = error instanceof Error && 'code' in error && /^E[A-Z]+$/.test(String(error.code));
  return ours
    ? new HttpError('unavailable', 'Uploads are unavailable right now.', { retryAfter: 30, cause: error })
    : invalid('The file could not be read.', error);
}

const invalid = (detail: string, cause?: unknown) => new HttpError('invalid_multipart', detail, { cause });

/**
 * Reads a multipart form as a stream: text parts in any order, and at most one file. Throws `invalid_multipart` for a
 * broken form, a repeated part or a closed connection. Throws `too_slow`, or `too_large` if `Content-Length` exceeds
 * `maxBytes`. Rethrows any HttpError from `onFile`. A system error in `onFile` becomes `unavailable`.
 */
export async function readMultipart<File>(
  request: Request,
  { fileField, maxBytes, onFile, onDiscard, pace }: MultipartOptions<File>,
): Promise<{ fields: Record<string, string>; file: File | null }> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) {
    throw new HttpError('too_large', `The upload can have at most ${Math.floor(maxBytes / 1024 / 1024)} MB.`);
  }
  if (!request.body) throw invalid('The form is empty.');
  const contentType = request.headers.get('content-type') ?? '';
  let form: BusboyInstance;
  try {
    form = new Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldNameSize: 100, fieldSize: 8 * 1024, fields: 20, files: 2, parts: 24, headerPairs: 50 },
      isPartAFile: (name) => name === fileField,
    });
  } catch (error) {
    throw invalid('The form has no boundary.', error);
  }

  const fields: Record<string, string> = Object.create(null);
  let file: Promise<File> | null = null;
  let fileStream: Readable | null = null;
  let failure: HttpError | null = null;
  const fail = (error: HttpError) => {
    failure ??= error;
    fileStream?.destroy(error);
    form.destroy(error);
  };
  form.on('field', (name, value, nameCut, valueCut) => {
    if (nameCut || valueCut) fail(invalid(`The part ${name} is too long.`));
    else if (name in fields) fail(invalid(`The part ${name} is given more than once.`));
    else fields[name] = value;
  });
  form.on('file', (name, stream, fileName) => {
    // If a part is cut off, its stream also emits an error. Without a listener, this error would crash the process.
    stream.on('error', () => undefined);
    if (file) {
      stream.resume();
      fail(invalid(`The part ${name} is given more than once.`));
      return;
    }
    fileStream = stream;
    file = onFile(stream, { fileName: fileName ?? '' });
    file.catch((error: unknown) => {
      fail(error instanceof HttpError ? error : readingFailed(error));
    });
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    form.on(limit, () => fail(invalid('The form has too many parts.')));
  }
  const reader = request.body.getReader();
  try {
    await pipeline(steadyChunksOf(reader, pace), form);
    return { fields, file: await file };
  } catch (error) {
    const isSlow = isHttpError(error) && error.code === 'too_slow';
    const refusal = isSlow ? error : (failure ?? invalid('The form was cut off or is broken.', error));
    fail(refusal);
    // Wait for the consumer to finish before discarding its result.
    const whole = await Promise.resolve(file).catch(() => null);
    if (whole !== null) await onDiscard?.(whole);
    if (!isSlow) void drain(reader);
    throw refusal;
  }
}
