import { chunksOf, drain } from './drain';
import { HttpError } from './problem';

/** Deeper than any body of ours; depth is bounded before parsing, since what parses may still break `JSON.stringify`. */
const MAX_DEPTH = 32;
export const MAX_JSON_BYTES = 256 * 1024;
const NOT_READ = 'The body could not be read as UTF-8 text.';

/** Reads a body up to `maxBytes`. Throws `too_large` as soon as it is passed, declared or not. */
async function readCapped(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new HttpError('too_large', `The body may have at most ${maxBytes} bytes.`);
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for await (const chunk of reader ? chunksOf(reader) : []) {
    size += chunk.byteLength;
    if (reader && size > maxBytes) {
      void drain(reader);
      throw tooLarge();
    }
    chunks.push(chunk);
  }
  // Not a Buffer, which may be part of a larger one: these bytes can be handed to a thread.
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

function isTooDeep(json: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const char = json[i];
    if (inString) {
      if (char === '\\') i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      if (++depth > MAX_DEPTH) return true;
    } else if (char === '}' || char === ']') depth--;
  }
  return false;
}

/** Whether a string anywhere in the value holds NUL or half a character: Postgres can keep neither. */
function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (Array.isArray(value)) return value.some(hasUnstorableText);
  if (value && typeof value === 'object') {
    return Object.entries(value).some(([key, inner]) => hasUnstorableText(key) || hasUnstorableText(inner));
  }
  return false;
}

/** The bytes of a JSON body. Throws `unsupported_media_type` or `too_large`, and `invalid_json` when the body breaks off. */
export async function readJsonBytes(
  request: Request,
  maxBytes = MAX_JSON_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new HttpError('unsupported_media_type', 'Send the body as application/json.');
  }
  try {
    return await readCapped(request, maxBytes);
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw new HttpError('invalid_json', NOT_READ, { cause: error });
  }
}

/** The value of a JSON text in UTF-8. Throws `invalid_json`. */
export function parseJson(bytes: Uint8Array): unknown {
  let json: string;
  let value: unknown;
  try {
    json = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new HttpError('invalid_json', NOT_READ, { cause: error });
  }
  if (isTooDeep(json))
    throw new HttpError('invalid_json', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new HttpError('invalid_json', 'The body is not valid JSON.', { cause: error });
  }
  if (hasUnstorableText(value)) {
    throw new HttpError('invalid_json', 'The body holds a NUL or a broken character.');
  }
  return value;
}

/** The JSON body of a request. Throws `unsupported_media_type`, `too_large` or `invalid_json`. */
export async function readJson(request: Request, maxBytes = MAX_JSON_BYTES): Promise<unknown> {
  return parseJson(await readJsonBytes(request, maxBytes));
}
