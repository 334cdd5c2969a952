import type { ImageStream } from '@/lib/storage/image-stream';
import { visitorHeaders } from './visitor-headers';

// Visitors get images through routes of the app instead of signed storage URLs. A signed URL contains the ids of the
// project and its jobs, and keeps working for a while after the share link is revoked. Each visit would also get a new
// signed URL, so the browser could not cache the image.

/** Seconds for which a browser caches an image. */
const KEPT_S = 60 * 60;

/** Returns a response with an image for visitors. With `fileName`, the browser saves the image under that name. */
export function imageResponse({ mimeType, body }: ImageStream, fileName?: string): Response {
  return new Response(body, {
    headers: {
      ...visitorHeaders,
      'content-type': mimeType,
      'cache-control': `private, max-age=${KEPT_S}`,
      ...(fileName !== undefined && { 'content-disposition': `attachment; filename="${fileName}"` }),
    },
  });
}
