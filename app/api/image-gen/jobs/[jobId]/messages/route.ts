import { HttpError } from '@/lib/http/problem';
import { methods, route } from '@/lib/http/route';
import { listMessages } from '@/lib/image-gen/queries';
import { jobParams, messagesAnswer } from '@/lib/image-gen/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ imageJobId: params.jobId }),
    summary: 'The chat of an image job and all its variants.',
    params: jobParams,
    status: 200,
    response: messagesAnswer,
    handle: async ({ caller, params }) => {
      const conversation = await listMessages(caller.db, params.jobId);
      if (!conversation) throw new HttpError('not_found');
      return conversation;
    },
  }),
});
