import { fetchFromOrigins } from '@/lib/http/fetch-from-origins';
import { parseRetryAfter } from '@/lib/http/retry-after';
import { isUpstreamError, UpstreamError } from './error';
import { readCapped } from './read-capped';

/** The longest pause that the library can request. */
const LONGEST_PAUSE_MS = 5 * 60_000;
/** The pause after a 429 without `Retry-After`. */
const DEFAULT_PAUSE_MS = 30_000;

/** The cache validators of an earlier response, for a conditional request. */
export type Validators = { etag: string | null; lastModified: string | null };

export type CallOptions = {
  url: string;
  /** The origins that are allowed for the URL. */
  origins: readonly string[];
  userAgent: string;
  /** How many milliseconds the whole call may take, including the body. */
  deadlineMs: number;
  maxBytes: number;
  /** The required prefix of the content type. */
  contentType: string;
  validators?: Validators;
  now: () => number;
};

export type CallResult =
  | { kind: 'body'; bytes: Uint8Array; validators: Validators }
  | { kind: 'unchanged' }
  | { kind: 'absent' };

function requestHeaders({ userAgent, contentType, validators }: CallOptions): Headers {
  const headers = new Headers({
    'user-agent': userAgent,
    accept: contentType.includes('/') ? contentType : '*/*',
  });
  if (validators?.etag) headers.set('if-none-match', validators.etag);
  else if (validators?.lastModified) headers.set('if-modified-since', validators.lastModified);
  return headers;
}

function statusError(response: Response, now: number): UpstreamError {
  const { status } = response;
  const isLimit = status === 429;
  const retryAfterMs =
    parseRetryAfter(response.headers.get('retry-after'), now, LONGEST_PAUSE_MS) ??
    (isLimit ? DEFAULT_PAUSE_MS : undefined);
  return new UpstreamError(isLimit ? 'limited' : 'status', `status ${status}`, { status, retryAfterMs });
}

async function fetchOnce(options: CallOptions, signal: AbortSignal): Promise<CallResult> {
  const headers = requestHeaders(options);
  const response = await fetchFromOrigins(options.origins, options.url, { headers, signal });
  if (response.status === 304 && options.validators) return { kind: 'unchanged' };
  const isWanted =
    response.headers.get('content-type')?.toLowerCase().startsWith(options.contentType) ?? false;
  if (response.status !== 200 || !isWanted) {
    await response.body?.cancel();
    if (response.status === 404) return { kind: 'absent' };
    if (response.status !== 200) throw statusError(response, options.now());
    throw new UpstreamError('content', `content type ${response.headers.get('content-type')}`);
  }
  const bytes = await readCapped(response, options.maxBytes);
  const validators = {
    etag: response.headers.get('etag'),
    lastModified: response.headers.get('last-modified'),
  };
  return { kind: 'body', bytes, validators };
}

/** Sends a single GET request and reads the whole body before the deadline. Throws only UpstreamError. */
export async function callOnce(options: CallOptions): Promise<CallResult> {
  const signal = AbortSignal.timeout(options.deadlineMs);
  try {
    return await fetchOnce(options, signal);
  } catch (error) {
    if (isUpstreamError(error)) throw error;
    if (signal.aborted)
      throw new UpstreamError('timeout', `no complete response in ${options.deadlineMs} ms`);
    throw new UpstreamError('network', 'the connection failed', { cause: error });
  }
}
