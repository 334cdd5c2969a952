/**
 * Why the library could not be asked.
 * - `timeout`: no complete response before the deadline
 * - `network`: no connection, or it broke
 * - `status`: it responded with an error
 * - `content`: it responded with something other than what was asked for
 * - `limited`: it told us to come back later
 * - `open`: it failed too often just now, so it is left alone
 * - `busy`: too many of our own calls are waiting already
 */
export type UpstreamFailure = 'timeout' | 'network' | 'status' | 'content' | 'limited' | 'open' | 'busy';

type UpstreamErrorExtra = { status?: number; retryAfterMs?: number; cause?: unknown };

/** For the log; a client gets none of its words. */
export class UpstreamError extends Error {
  readonly failure: UpstreamFailure;
  readonly status: number | undefined;
  /** When asking again may help. */
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
 * Whether the library could not be asked. Pages and API routes share one library but have their own copies of this
 * class, so the error is known by what it carries: `instanceof` would miss half of them.
 */
export function isUpstreamError(error: unknown): error is UpstreamError {
  return error instanceof Error && error.name === 'UpstreamError' && 'failure' in error;
}

/** The same failure with the milliseconds that are left until another try. Any other error stays as it is. */
export function retryingIn(error: unknown, ms: number): unknown {
  if (!isUpstreamError(error)) return error;
  const { failure, message, status, cause } = error;
  return new UpstreamError(failure, message, { status, cause: cause ?? error, retryAfterMs: ms });
}
