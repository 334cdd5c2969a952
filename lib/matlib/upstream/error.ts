/**
 * Why a call to the library failed.
 * - `timeout`: no complete response before the deadline
 * - `network`: no connection, or it broke
 * - `status`: an error status
 * - `content`: an unexpected response
 * - `limited`: the library asked us to wait
 * - `open`: it failed too often, so the breaker blocks calls
 * - `busy`: too many of our own calls are waiting
 */
export type UpstreamFailure = 'timeout' | 'network' | 'status' | 'content' | 'limited' | 'open' | 'busy';

type UpstreamErrorExtra = { status?: number; retryAfterMs?: number; cause?: unknown };

/** A failed call to the library. Its message is for the log and never reaches a client. */
export class UpstreamError extends Error {
  readonly failure: UpstreamFailure;
  readonly status: number | undefined;
  /** When a retry may succeed. */
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
 * Whether an error is an UpstreamError. Pages and API routes share one library but have their own copies of the class, so
 * this checks the error's properties: `instanceof` would miss half of them.
 */
export function isUpstreamError(error: unknown): error is UpstreamError {
  return error instanceof Error && error.name === 'UpstreamError' && 'failure' in error;
}

/** The same failure with the remaining milliseconds until the next attempt. Returns any other error unchanged. */
export function retryingIn(error: unknown, ms: number): unknown {
  if (!isUpstreamError(error)) return error;
  const { failure, message, status, cause } = error;
  return new UpstreamError(failure, message, { status, cause: cause ?? error, retryAfterMs: ms });
}
