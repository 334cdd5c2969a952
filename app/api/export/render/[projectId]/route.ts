import { z } from 'zod';
import { documentHtml, documentPolicy } from '@/app/document-html';
import { serverEnv } from '@/lib/env/server';
import { planSheets } from '@/lib/export/document/sheets';
import { webFontFaces } from '@/lib/export/fonts/web-fonts';
import { renderParams, renderQuery } from '@/lib/export/schema';
import { slots } from '@/lib/export/slots';
import { takeSnapshot } from '@/lib/export/snapshot';
import { viewImages } from '@/lib/export/view-images';
import { methods, route } from '@/lib/http/route';
import type { Db } from '@/lib/supabase/request';

const imageSource = () => new URL(serverEnv().NEXT_PUBLIC_SUPABASE_URL).origin;

// A document with its fonts is held in memory as a whole, and may have 16 MB; the others wait their turn.
const oneOfFew = slots(4);

async function draw(db: Db, projectId: string, query: z.output<typeof renderQuery>): Promise<string> {
  const document = await takeSnapshot(db, projectId);
  const title = document.cover.title || document.projectName;
  const plan = planSheets(document, document.projectName, query);
  const [images, fonts] = await Promise.all([viewImages(document.images), webFontFaces(plan.sheets)]);
  return documentHtml({ plan, title, images, imageSource: imageSource(), fonts });
}

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
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
    handle: ({ caller, projectId, query }) => oneOfFew(() => draw(caller.db, projectId, query)),
  }),
});
