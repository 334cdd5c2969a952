import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { HttpError } from '@/lib/errors/problem';
import { drain, type Pace, steadyChunksOf } from './drain';
import { type Bytes, joinBytes } from './join-bytes';
import { type ReservedMemory, reserveMemory } from './reserved-memory';

/**
 * The default maximum nesting depth. `JSON.parse` alone would accept values that are nested so deeply that
 * `JSON.stringify` overflows the stack.
 */
const MAX_DEPTH = 32;
export const MAX_JSON_BYTES = 256 * 1024;
/** Minimum number of bytes to reserve for a body. The connection of even a small body costs about this much. */
const MIN_RESERVED_BYTES = 64 * 1024;

const NOT_READ = 'The body could not be read as UTF-8 text.';

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Returns the body's `Content-Encoding`, or null if it has none. Throws `unsupported_media_type` for one that is not in
 * `supported`.
 */
export function contentEncoding(headers: Headers, supported = Object.keys(decoders)): string | null {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return null;
  if (supported.includes(encoding)) return encoding;
  const names = supported.join(', ') || 'identity';
  throw new HttpError(
    'unsupported_media_type',
    `The content-encoding can only be ${names.replace(/, (\w+)$/, ' or $1')}.`,
    {
      errors: [{ path: 'content-encoding', message: 'is not supported' }],
      headers: { 'accept-encoding': names },
    },
  );
}

/** Decompresses the chunks of a body. Throws `invalid_json` if they are not in this encoding. */
async function* decompressed(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array> {
  const decoder = decoders[encoding]?.();
  if (!decoder) throw new TypeError(`There is no decoder for ${encoding}.`);
  // The loop below gets the error of either stream.
  pipeline(Readable.from(chunks), decoder, () => {});
  try {
    yield* decoder;
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw new HttpError('invalid_json', `The body could not be read as ${encoding}.`, { cause: error });
  }
}

/**
 * Reads a body of up to `maxBytes`, counted after decompression. Throws `too_large` as soon as there are more, and
 * `too_slow` if the body stalls.
 */
async function readCapped(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  encoding: string | null,
  maxBytes: number,
  pace?: Pace,
): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const arriving = steadyChunksOf(reader, pace);
  for await (const chunk of encoding ? decompressed(arriving, encoding) : arriving) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      void drain(reader);
      throw tooLarge(maxBytes);
    }
    chunks.push(chunk);
  }
  return joinBytes(chunks);
}

const tooLarge = (maxBytes: number) =>
  new HttpError('too_large', `The body can have at most ${maxBytes} bytes.`);

/**
 * Reads a body. With a `userId`, the body counts toward the limit of `memory` or, without `memory`, toward this
 * process's limit for arriving bodies. Throws `too_large`, `too_slow`, or `unavailable` with `Retry-After` if the limit
 * or the user's half of it is used up.
 */
async function readWithinBudget(
  request: Request,
  { maxBytes = MAX_JSON_BYTES, userId, memory, pace }: JsonBodyOptions,
): Promise<Bytes> {
  const encoding = contentEncoding(request.headers);
  const declared = request.headers.get('content-length');
  if (Number(declared ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const reader = request.body?.getReader();
  if (!reader) return new Uint8Array();
  // A call without a user id comes from a service with a secret, or is for a public route. Its body is not counted, so
  // that load from users cannot block it.
  if (userId === undefined) return readCapped(reader, encoding, maxBytes, pace);
  const arriving = memory ?? reserveMemory('bodies', userId);
  try {
    const size = declared === null || encoding ? maxBytes : Number(declared);
    arriving.take(Math.max(size, MIN_RESERVED_BYTES));
  } catch (error) {
    void drain(reader);
    throw error;
  }
  try {
    return await readCapped(reader, encoding, maxBytes, pace);
  } finally {
    if (!memory) arriving.release();
  }
}

function isTooDeep(json: string, maxDepth: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const char = json[i];
    if (inString) {
      if (char === '\\') i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      if (++depth > maxDepth) return true;
    } else if (char === '}' || char === ']') depth--;
  }
  return false;
}

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();

/** Returns whether any string in the value contains a NUL or a lone surrogate, neither of which Postgres can store. */
function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return !isStorable(value);
  if (Array.isArray(value)) return value.some(hasUnstorableText);
  if (value && typeof value === 'object') {
    return Object.entries(value).some(([key, inner]) => hasUnstorableText(key) || hasUnstorableText(inner));
  }
  return false;
}

const storableText = (text: string) => text.replaceAll('\0', '\ufffd').toWellFormed();

/** Returns a copy of the value with U+FFFD in place of each NUL and lone surrogate. */
function withStorableText(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(withStorableText);
  if (value && typeof value === 'object') {
    const entries = Object.entries(value).map(([key, inner]) => [storableText(key), withStorableText(inner)]);
    return Object.fromEntries(entries);
  }
  return value;
}

export type JsonBodyOptions = {
  maxBytes?: number;
  /** The body counts toward this user's share of the memory limit. If undefined, the body is not counted. */
  userId?: string;
  /**
   * Holds the body's memory until `memory.release` is called. Without `memory`, the body's memory is held only while
   * the body arrives.
   */
  memory?: ReservedMemory;
  pace?: Pace;
  anyContentType?: boolean;
};

/**
 * Reads the bytes of a JSON body. Throws `unsupported_media_type` (unless `anyContentType`), `too_large`, `too_slow`,
 * `unavailable` if the memory limit or the user's half of it is used up, or `invalid_json` if the body is cut off.
 */
export async function readJsonBytes(request: Request, options: JsonBodyOptions = {}): Promise<Bytes> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (!options.anyContentType && !/^application\/([\w.-]+\+)?json$/.test(type ?? '')) {
    throw new HttpError('unsupported_media_type', 'Send the body as application/json.');
  }
  try {
    return await readWithinBudget(request, options);
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw new HttpError('invalid_json', NOT_READ, { cause: error });
  }
}

/** Whether characters that Postgres cannot store make a body invalid, or are replaced with U+FFFD. */
export type OnUnstorable = 'refuse' | 'replace';

const urlencodedForm = /^[\w.%+[\]-]+=/;
const multipartForm = /^--[^\r\n]+\r?\ncontent-disposition:/i;

function whyNotJson(text: string): string {
  if (text.trim() === '') return 'The body is empty.';
  const isForm = urlencodedForm.test(text) || multipartForm.test(text);
  return `The body is not valid JSON.${isForm ? ' It was sent as a form.' : ''}`;
}

/** Parses JSON text. Throws `invalid_json`. */
export function parseJsonText(json: string, maxDepth: number, onUnstorable: OnUnstorable): unknown {
  if (isTooDeep(json, maxDepth))
    throw new HttpError('invalid_json', `The body is nested deeper than ${maxDepth} levels.`);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new HttpError('invalid_json', whyNotJson(json), { cause: error });
  }
  if (!hasUnstorableText(value)) return value;
  if (onUnstorable === 'replace') return withStorableText(value);
  throw new HttpError('invalid_json', 'The body contains a NUL or a broken character.');
}

/** Parses JSON text in UTF-8. Throws `invalid_json`. */
export function parseJson(
  bytes: Uint8Array,
  maxDepth = MAX_DEPTH,
  onUnstorable: OnUnstorable = 'refuse',
): unknown {
  let json: string;
  try {
    json = new TextDecoder('utf-8', { fatal: onUnstorable === 'refuse' }).decode(bytes);
  } catch (error) {
    throw new HttpError('invalid_json', NOT_READ, { cause: error });
  }
  return parseJsonText(json, maxDepth, onUnstorable);
}
