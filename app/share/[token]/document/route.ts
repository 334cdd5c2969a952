import { methods, route } from '@/lib/http/route';
import { z } from 'zod';
import { documentPolicy } from '@/app/document-policy';
import { inDocumentThread } from '@/app/in-document-thread';
import { readSharedDocument, visitorImageId } from '@/app/share/shared-document';
import { visitorHeaders } from '@/app/share/visitor-headers';
import { imageKey } from '@/lib/document/page-model';
import { HttpError } from '@/lib/errors/problem';
import { renderQuery } from '@/lib/export/schema';
import { readProjectFonts } from '@/lib/fonts/read-project-fonts';
import { limitShared } from '@/lib/rate-limit/limit';
import { limitVisits } from '@/lib/share-links/limit-visits';
import { openShare } from '@/lib/share-links/open-link';
import { sharedDocumentParams } from '@/lib/share-links/schema';

const imageSource = "'self'";

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
      // Rendering the document costs as much as a preview, so also apply the limit for costly calls.
      await limitShared(`share:${share.id}`);
      const { document, images, fontNames } = await readSharedDocument(share, memory);
      const { cover } = document;
      // If `includecover` is unset, include the cover only if it has content.
      const hasCover = document.includecover ?? (cover.title !== '' || imageKey(cover) !== null);
      return inDocumentThread('drawPreview', {
        document,
        projectName: share.projectName,
        query: renderQuery.parse({ includecover: String(hasCover) }),
        images: new Map(
          // The URLs are relative to the request's URL, so the page does not contain the token.
          images.map((image) => [image.key, { ...image, src: `document/images/${visitorImageId(image)}` }]),
        ),
        imageSource,
        projectFonts: await readProjectFonts(share.projectId, fontNames, memory.take),
      });
    },
  }),
});
