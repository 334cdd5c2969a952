import { callOnce } from '../upstream/call';

const DEADLINE_MS = 10_000;
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Fetches a thumbnail that is `px` pixels wide and high. The library's image service scales images to any size. Returns
 * null if there is no image. Throws an UpstreamError if the image is unavailable or its URL is not at one of `origins`.
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
