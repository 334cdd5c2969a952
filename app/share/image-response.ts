import type { ImageStream } from '@/lib/storage/image-stream';
import { visitorHeaders } from './visitor-headers';

// Visitors get images from here and not by signed URLs of storage, because those contain the ids of the project and its
// jobs, and would work for a while after the link is revoked. The browser caches an image by its URL, which does not
// change as a signed URL does.

/** How long a browser keeps an image, in seconds. */
const KEPT_S = 60 * 60;

/** Returns the response with an image for visitors. With `fileName`, the browser saves it as a file. */
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
