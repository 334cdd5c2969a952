import { methods, route } from '@/lib/http/route';
import { after } from 'next/server';
import { sendMessageBody, sentResponse } from '@/lib/image-gen/schema';
import { sendMessage } from '@/lib/image-gen/send-message';
import { nudgeLoop } from '@/lib/queue/loop';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'editor',
    project: async ({ readBody }) => ({ imageJobId: (await readBody()).jobId }),
    summary: 'Sends the next prompt of an image job, to refine a variant.',
    docs: { codes: ['run_in_progress'] },
    idempotent: true,
    rate: 'costly',
    body: sendMessageBody,
    status: 202,
    response: sentResponse,
    location: (response) => `/api/image-gen/jobs/${response.jobId}/messages`,
    handle: async ({ caller, body, idempotency }) => {
      const response = await sendMessage(body, caller.userId, idempotency);
      after(nudgeLoop);
      return response;
    },
  }),
});
