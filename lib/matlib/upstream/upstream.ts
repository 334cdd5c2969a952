import type { Clock } from '../clock';
import { createBreaker } from './breaker';
import { callOnce, type Validators } from './call';
import { isUpstreamError, UpstreamError } from './error';
import { createLimiter, politeLimits } from './limiter';

const MAX_RETRIES = 2;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;
const MAX_BYTES = 16 * 1024 * 1024;

export type UpstreamOptions = { baseUrl: string; userAgent: string; clock: Clock };

export type JsonRequest<T> = {
  /** The path and query, built from validated parts. */
  path: string;
  deadlineMs: number;
  /** Whether this is a background call, which is not retried because no caller waits for it. */
  background: boolean;
  validators?: Validators;
  /** Validates and converts the JSON. Must throw UpstreamError `content` if it is unusable. */
  check: (json: unknown, bytes: Uint8Array) => T;
  /** Whether the call requests a single asset. If so, an unusable response says nothing about the library's health. */
  oneAsset?: boolean;
};

export type JsonResult<T> =
  | { kind: 'value'; value: T; bytes: number; validators: Validators }
  | { kind: 'unchanged' }
  | { kind: 'absent' };

export type Upstream = ReturnType<typeof createUpstream>;

/** Returns whether the same call may succeed a moment later. */
function isTemporary({ failure, status }: UpstreamError): boolean {
  return failure === 'network' || (status !== undefined && [429, 502, 503, 504].includes(status));
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new UpstreamError('content', 'not JSON', { cause: error });
  }
}

/**
 * Creates a client for the library's API. All of its calls share one rate limit and one circuit breaker, so a pause
 * that the library requests applies to all of them.
 */
export function createUpstream({ baseUrl, userAgent, clock }: UpstreamOptions) {
  const limit = createLimiter(politeLimits, clock);
  const { origin } = new URL(baseUrl);
  const breaker = createBreaker(clock);

  async function attempt<T>(request: JsonRequest<T>): Promise<JsonResult<T>> {
    breaker.enter();
    try {
      const response = await callOnce({
        url: `${baseUrl}${request.path}`,
        origins: [origin],
        userAgent,
        deadlineMs: request.deadlineMs,
        maxBytes: MAX_BYTES,
        contentType: 'application/json',
        validators: request.validators,
        now: clock.now,
      });
      if (response.kind !== 'body') {
        breaker.succeed();
        return response;
      }
      const json = parseJson(response.bytes);
      if (request.oneAsset) breaker.succeed();
      const value = request.check(json, response.bytes);
      breaker.succeed();
      return { kind: 'value', value, bytes: response.bytes.byteLength, validators: response.validators };
    } catch (error) {
      countFailure(error, request.oneAsset === true);
      throw error;
    }
  }

  function countFailure(error: unknown, oneAsset: boolean): void {
    const known = isUpstreamError(error) ? error : null;
    const isOfOneAsset = oneAsset && known?.failure === 'content';
    const isOurMistake = known?.status !== undefined && known.status < 500;
    // None of these errors is a sign that the library is unhealthy.
    if (isOfOneAsset || isOurMistake || known?.failure === 'limited') breaker.leave();
    else breaker.fail();
    if (known?.retryAfterMs !== undefined) breaker.coolDown(known.retryAfterMs);
  }

  return {
    /**
     * Requests JSON. Repeats a foreground call up to two times after a temporary failure, unless the library requested
     * a pause. Throws UpstreamError.
     */
    async getJson<T>(request: JsonRequest<T>): Promise<JsonResult<T>> {
      for (let tries = 0; ; tries += 1) {
        try {
          return await limit(() => attempt(request));
        } catch (error) {
          const mayRetry =
            !request.background &&
            tries < MAX_RETRIES &&
            isUpstreamError(error) &&
            isTemporary(error) &&
            error.retryAfterMs === undefined;
          if (!mayRetry) throw error;
          await clock.sleep(clock.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries));
        }
      }
    },
  };
}
