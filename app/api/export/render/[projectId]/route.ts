import { z } from 'zod';
import { documentPolicy } from '@/app/document-policy';
import { inDocumentThread } from '@/app/in-document-thread';
import { serverEnv } from '@/lib/env/server';
import { renderParams, renderQuery } from '@/lib/export/schema';
import { methods, route } from '@/lib/http/route';

const imageSource = () => new URL(serverEnv().NEXT_PUBLIC_SUPABASE_URL).origin;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.projectId }),
    summary: "Returns a project's pages as they are printed, as one HTML page.",
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
          'content-security-policy': `${documentPolicy(imageSource())}; frame-ancestors 'self'`,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
        },
      }),
    handle: ({ caller: { token, userId }, projectId, query }) =>
      inDocumentThread('drawPreview', { token, projectId, query, imageSource: imageSource() }, userId),
  }),
});
