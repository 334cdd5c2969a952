/**
 * Why the library could not be asked.
 * - `timeout`: no whole answer before the deadline
 * - `network`: no connection, or it broke
 * - `status`: it answered with an error
 * - `content`: it answered with something that is not what was asked for
 * - `limited`: it told us to come back later
 * - `open`: it failed too often just now, so it is left alone
 * - `busy`: too many of our own calls wait already
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
