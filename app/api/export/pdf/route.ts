import { after } from 'next/server';
import { createExport } from '@/lib/export/create-export';
import { exportBody, MAX_DOCUMENT_BYTES, placeInDocument, startedAnswer } from '@/lib/export/schema';
import { methods, route } from '@/lib/http/route';
import { nudgeLoop } from '@/lib/queue/loop';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'editor',
    project: ({ body }) => ({ projectId: body.projectId }),
    summary: 'Starts the export of pages as a PDF.',
    idempotent: true,
    rate: 'costly',
    body: exportBody,
    maxBytes: MAX_DOCUMENT_BYTES,
    place: placeInDocument,
    status: 202,
    response: startedAnswer,
    location: (answer) => `/api/export/status/${answer.jobId}`,
    handle: async ({ caller, body, idempotency }) => {
      const answer = await createExport(caller.db, body, caller.userId, idempotency);
      after(nudgeLoop);
      return answer;
    },
  }),
});
