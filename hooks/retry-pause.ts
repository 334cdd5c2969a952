import { ApiError } from '@/lib/http/client';

const PAUSE_MS = 10_000;

/**
 * The milliseconds to wait before the same request is sent again, if the server is only temporarily at its limit:
 * a 429 response, or a 503 with `Retry-After`. Null for every other error.
 */
export function retryPauseMs(error: unknown): number | null {
  if (!(error instanceof ApiError)) return null;
  const { status, retryAfterS } = error;
  if (status !== 429 && (status !== 503 || retryAfterS === null)) return null;
  return retryAfterS ? retryAfterS * 1000 : PAUSE_MS;
}
