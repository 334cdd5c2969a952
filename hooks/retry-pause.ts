import { ApiError } from '@/lib/http/client';

const PAUSE_MS = 10_000;

/**
 * Returns how many milliseconds to wait before repeating a request if the server is temporarily at its limit. This is
 * the case for a 429 response, and for a 503 with `Retry-After`. Returns null for any other error.
 */
export function retryPauseMs(error: unknown): number | null {
  if (!(error instanceof ApiError)) return null;
  const { status, retryAfterS } = error;
  if (status !== 429 && (status !== 503 || retryAfterS === null)) return null;
  return retryAfterS ? retryAfterS * 1000 : PAUSE_MS;
}
