import { quotaOf } from '@/lib/http/quota';
import { parseJson, readJsonBytes } from '@/lib/http/read-json';

const MAX_BYTES = 64 * 1024;
/** Maximum number of bodies that are read at the same time. */
const AT_ONCE = 8;
const PACE = { bytes: MAX_BYTES, ms: 2_000 };

/**
 * Reads the body of a callback that was sent without the correct secret. Anyone can send one, so the body must be small
 * and arrive quickly, and at most `AT_ONCE` bodies are read at the same time. Returns undefined if the body cannot be
 * read. Never throws.
 */
export async function readUnauthenticated(request: Request): Promise<unknown> {
  // All senders without the correct secret count as one user. A user gets at most half of a quota, so the quota is
  // twice `AT_ONCE`.
  const release = quotaOf('refused callbacks').take('', 1, AT_ONCE * 2);
  if (!release) return undefined;
  try {
    return parseJson(await readJsonBytes(request, { maxBytes: MAX_BYTES, anyContentType: true, pace: PACE }));
  } catch {
    return undefined;
  } finally {
    release();
  }
}
