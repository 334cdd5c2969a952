import { ApiError } from '@/lib/http/client';

const PAUSE_MS = 10_000;

/**
 * Returns the milliseconds to wait before sending the same request again if the server is only temporarily at its
 * limit: a 429 response, or a 503 with `Retry-After`. Returns null for any other error.
 */
export function retryPauseMs(error: unknown): number | null {
  if (!(error instanceof ApiError)) return null;
  const { status, retryAfterS } = error;
  if (status !== 429 && (status !== 503 || retryAfterS === null)) return null;
  return retryAfterS ? retryAfterS * 1000 : PAUSE_MS;
}
