import { methods, route } from '@/lib/http/route';
import { after } from 'next/server';
import { inDocumentThread } from '@/app/in-document-thread';
import { MAX_DOCUMENT_BYTES } from '@/lib/document/schema';
import { createExport } from '@/lib/export/create-export';
import { exportBody, exportStartedResponse } from '@/lib/export/schema';
import { listFonts } from '@/lib/fonts/project-fonts';
import { nudgeLoop } from '@/lib/queue/loop';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'editor',
    summary: 'Starts the export of pages as a PDF.',
    idempotent: true,
    rate: 'costly',
    body: exportBody,
    parseBody: (body, userId) => inDocumentThread('parseExport', { body }, userId),
    project: async ({ readBytes, userId }) =>
      inDocumentThread('parseExportProject', { body: await readBytes() }, userId),
    maxBytes: MAX_DOCUMENT_BYTES,
    status: 202,
    response: exportStartedResponse,
    location: (response) => `/api/export/status/${response.jobId}`,
    handle: async ({ caller: { db, userId }, body, idempotency }) => {
      const fonts = await listFonts(body.projectId);
      const response = await createExport(db, body, userId, idempotency, fonts);
      after(nudgeLoop);
      return response;
    },
  }),
});
