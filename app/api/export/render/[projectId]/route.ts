import { z } from 'zod';
import { documentHtml, documentPolicy } from '@/app/document-html';
import { serverEnv } from '@/lib/env/server';
import { planSheets } from '@/lib/export/document/sheets';
import { webFontFaces } from '@/lib/export/fonts/web-fonts';
import { renderParams, renderQuery } from '@/lib/export/schema';
import { takeSnapshot } from '@/lib/export/snapshot';
import { viewImages } from '@/lib/export/view-images';
import { methods, route } from '@/lib/http/route';

const imageSource = () => new URL(serverEnv().NEXT_PUBLIC_SUPABASE_URL).origin;

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.projectId }),
    summary: "Shows a project's pages as they are printed, as one HTML page.",
    docs: { media: 'text/html' },
    params: renderParams,
    query: renderQuery,
    status: 200,
    response: z.string(),
    respond: (html) =>
      new Response(html, {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'private, no-store',
          'content-security-policy': `${documentPolicy(imageSource())}; frame-ancestors 'self'`,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
        },
      }),
    handle: async ({ caller, projectId, query }) => {
      const document = await takeSnapshot(caller.db, projectId);
      const title = document.cover.title || document.projectName;
      const plan = planSheets(document, document.projectName, query);
      const [images, fonts] = await Promise.all([viewImages(document.images), webFontFaces(plan.sheets)]);
      return documentHtml({ plan, title, images, imageSource: imageSource(), fonts });
    },
  }),
});
