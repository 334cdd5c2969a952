/**
 * Why a call to the library failed.
 * - `timeout`: no complete response before the deadline
 * - `network`: the connection failed or broke, the response was a redirect, or the URL is not allowed
 * - `status`: an unexpected status
 * - `content`: a response that is too large, of the wrong type or otherwise unusable
 * - `limited`: the library requested a pause
 * - `open`: the library failed too often, so the circuit breaker blocks calls
 * - `busy`: too many calls of this process are waiting
 */
export type UpstreamFailure = 'timeout' | 'network' | 'status' | 'content' | 'limited' | 'open' | 'busy';

type UpstreamErrorExtra = { status?: number; retryAfterMs?: number; cause?: unknown };

/** A failed call to the library. Its message is for the log and never reaches a client. */
export class UpstreamError extends Error {
  readonly failure: UpstreamFailure;
  readonly status: number | undefined;
  /** The number of milliseconds after which a retry may succeed. */
  readonly retryAfterMs: number | undefined;

  constructor(failure: UpstreamFailure, message: string, extra: UpstreamErrorExtra = {}) {
    super(message, { cause: extra.cause });
    this.name = 'UpstreamError';
    this.failure = failure;
    this.status = extra.status;
    this.retryAfterMs = extra.retryAfterMs;
  }
}

/**
 * Returns whether an error is an UpstreamError. Pages and API routes share one library object but have separate copies
 * of the class, so this checks the error's properties; `instanceof` would miss errors from the other copy.
 */
export function isUpstreamError(error: unknown): error is UpstreamError {
  return error instanceof Error && error.name === 'UpstreamError' && 'failure' in error;
}

/**
 * Returns a copy of an UpstreamError that allows a retry after `ms` milliseconds. Returns any other error unchanged.
 */
export function retryingIn(error: unknown, ms: number): unknown {
  if (!isUpstreamError(error)) return error;
  const { failure, message, status, cause } = error;
  return new UpstreamError(failure, message, { status, cause: cause ?? error, retryAfterMs: ms });
}
