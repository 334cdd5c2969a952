import { callOnce } from '@/lib/matlib/upstream/call';

const DEADLINE_MS = 10_000;
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Fetches a thumbnail at most `px` pixels wide and high from one of `origins`. The library's own picture service makes
 * any size; the rest of the URL stays as it is listed. Returns null when there is no such picture, throws UpstreamError
 * when the library does not deliver it.
 */
export async function fetchThumbnail(
  thumbnailUrl: string,
  px: number,
  { origins, userAgent }: { origins: readonly string[]; userAgent: string },
): Promise<Uint8Array | null> {
  const url = new URL(thumbnailUrl);
  url.searchParams.set('width', String(px));
  url.searchParams.set('height', String(px));
  const response = await callOnce({
    url: url.href,
    origins,
    userAgent,
    deadlineMs: DEADLINE_MS,
    maxBytes: MAX_BYTES,
    contentType: 'image/',
    now: Date.now,
  });
  return response.kind === 'body' ? response.bytes : null;
}
