import { methods, route } from '@/lib/http/route';
import { z } from 'zod';
import { documentPolicy } from '@/app/document-policy';
import { imageSource, sharedPage } from '@/app/share/shared-document';
import { visitorHeaders } from '@/app/share/visitor-headers';
import { HttpError } from '@/lib/errors/problem';
import { limitVisits } from '@/lib/share-links/limit-visits';
import { openShare } from '@/lib/share-links/open-link';
import { sharedDocumentParams } from '@/lib/share-links/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    // The token authenticates the request. All invalid tokens get the same response.
    access: 'public',
    summary: 'Returns the document that a share link shows, as one HTML page.',
    docs: { media: 'text/html' },
    params: sharedDocumentParams,
    status: 200,
    response: z.string(),
    respond: (html) =>
      new Response(html, {
        headers: {
          ...visitorHeaders,
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'private, no-store',
          'content-security-policy': `${documentPolicy(imageSource)}; frame-ancestors 'self'`,
        },
      }),
    handle: async ({ params: { token }, memory, request }) => {
      limitVisits(request.headers, token);
      // The page that shows the document has already counted the visit.
      const share = await openShare(token, { count: false });
      if (share?.kind !== 'document') throw new HttpError('not_found');
      return sharedPage({ share, memory });
    },
  }),
});
