import { methods, route } from '@/lib/http/route';
import { z } from 'zod';
import { documentPolicy } from '@/app/document-policy';
import { inDocumentThread } from '@/app/in-document-thread';
import { withViews } from '@/lib/document/image-views';
import { documentRows } from '@/lib/export/queries';
import { renderParams, renderQuery } from '@/lib/export/schema';
import { findImages, projectName } from '@/lib/export/snapshot';
import { readProjectFonts } from '@/lib/fonts/read-project-fonts';

const imageSource = "'self'";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.projectId }),
    summary:
      "Returns the pages of a project's main document, or the named one, as they are printed, as one HTML page.",
    docs: { media: 'text/html' },
    rate: 'costly',
    params: renderParams,
    query: renderQuery,
    status: 200,
    response: z.string(),
    respond: (html) =>
      new Response(html, {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'private, no-store',
          'content-security-policy': `${documentPolicy(imageSource)}; frame-ancestors 'self'`,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
        },
      }),
    handle: async ({ caller, projectId, query, memory }) => {
      const { db, userId } = caller;
      const [rows, name] = await Promise.all([
        documentRows(caller, { projectId, documentId: query.documentId }, memory.take),
        projectName(db, projectId),
      ]);
      const { document, imageKeys, fontNames } = await inDocumentThread('parseStored', { rows }, userId);
      const [found, projectFonts] = await Promise.all([
        findImages(projectId, imageKeys),
        readProjectFonts(projectId, fontNames, memory.take),
      ]);
      const images = withViews(projectId, new Map(found.map((image) => [image.key, image])));
      const input = { document, projectName: name, query, images, imageSource, projectFonts };
      return inDocumentThread('drawPreview', input, userId);
    },
  }),
});
