import { createHash } from 'node:crypto';

const mark = Symbol('cacheable');

/** A cacheable GET response: its value, and the headers that say how long it may be cached. */
export type Cacheable<Value> = { [mark]: true; value: Value; headers: Record<string, string> };

/**
 * Creates a cacheable response with the given headers, which must include `cache-control`. The response is sent with an
 * ETag, or as a 304 to a client that already has it. `value` must be frozen, because it is serialized only once.
 */
export function cacheable<Value extends object>(
  value: Value,
  headers: { 'cache-control': string } & Record<string, string>,
): Cacheable<Value> {
  if (!Object.isFrozen(value)) throw new TypeError('The value of a cacheable response must be frozen.');
  return { [mark]: true, value, headers };
}

/** Returns whether a handler's result is a cacheable response instead of a plain value. */
export function isCacheable(result: unknown): result is Cacheable<object> {
  return typeof result === 'object' && result !== null && mark in result;
}

type Text = { bytes: Uint8Array<ArrayBuffer>; etag: string };
const texts = new WeakMap<object, Text>();

function textOf(value: object, parse: (value: object) => unknown): Text {
  const cachedText = texts.get(value);
  if (cachedText) return cachedText;
  const bytes = new TextEncoder().encode(JSON.stringify(parse(value)));
  const text = { bytes, etag: `W/"${createHash('sha1').update(bytes).digest('base64url')}"` };
  texts.set(value, text);
  return text;
}

/**
 * Returns whether `If-None-Match` contains the tag, or `*`, which matches every tag. For a GET, a weak tag and a strong
 * tag with the same value count as equal.
 */
function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  if (!ifNoneMatch) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''));
}

/**
 * Returns a response with the value as JSON, or a 304 if the client already has it. `parse` prepares the value for
 * serialization.
 */
export function cacheableResponse(
  request: Request,
  status: number,
  { value, headers }: Cacheable<object>,
  parse: (value: object) => unknown,
): Response {
  const { bytes, etag } = textOf(value, parse);
  const all = { ...headers, etag };
  if (isKnown(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers: all });
  }
  const length = String(bytes.byteLength);
  return new Response(bytes, {
    status,
    headers: { ...all, 'content-type': 'application/json', 'content-length': length },
  });
}
