import { callOnce } from '@/lib/matlib/upstream/call';

const DEADLINE_MS = 10_000;
const MAX_BYTES = 2 * 1024 * 1024;

/** The bytes of a thumbnail; null when there is none. Throws when it cannot be had. `url` is of an allowed host. */
export async function fetchThumbnail(url: string, userAgent: string): Promise<Uint8Array | null> {
  const answer = await callOnce({
    url,
    userAgent,
    deadlineMs: DEADLINE_MS,
    maxBytes: MAX_BYTES,
    contentType: 'image/',
    now: Date.now,
  });
  return answer.kind === 'body' ? answer.bytes : null;
}
