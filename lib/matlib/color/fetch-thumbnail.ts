import { callOnce } from '@/lib/matlib/upstream/call';

const DEADLINE_MS = 10_000;
const MAX_BYTES = 2 * 1024 * 1024;

/** The bytes of a thumbnail at one of `origins`; null when there is none. Throws an UpstreamError when it is unavailable. */
export async function fetchThumbnail(
  url: string,
  { origins, userAgent }: { origins: readonly string[]; userAgent: string },
): Promise<Uint8Array | null> {
  const answer = await callOnce({
    url,
    origins,
    userAgent,
    deadlineMs: DEADLINE_MS,
    maxBytes: MAX_BYTES,
    contentType: 'image/',
    now: Date.now,
  });
  return answer.kind === 'body' ? answer.bytes : null;
}
