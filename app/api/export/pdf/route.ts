import { after } from 'next/server';
import { inDocumentThread } from '@/app/in-document-thread';
import { exportBody, MAX_DOCUMENT_BYTES, startedAnswer } from '@/lib/export/schema';
import { methods, route } from '@/lib/http/route';
import { nudgeLoop } from '@/lib/queue/loop';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'editor',
    summary: 'Starts the export of pages as a PDF.',
    idempotent: true,
    rate: 'costly',
    body: exportBody,
    parseBody: (body, userId) => inDocumentThread('readExport', { body }, userId),
    projectInBody: ({ projectId }) => ({ projectId }),
    maxBytes: MAX_DOCUMENT_BYTES,
    status: 202,
    response: startedAnswer,
    location: (answer) => `/api/export/status/${answer.jobId}`,
    handle: async ({ caller: { token, userId }, body: { body }, idempotency }) => {
      const answer = await inDocumentThread('createExport', { token, body, userId, idempotency }, userId);
      after(nudgeLoop);
      return answer;
    },
  }),
});
