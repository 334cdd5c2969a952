import { methods, route } from '@/lib/http/route';
import { HttpError } from '@/lib/errors/problem';
import { listMessages } from '@/lib/image-gen/queries';
import { jobParams, messagesQuery, messagesResponse } from '@/lib/image-gen/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ imageJobId: params.jobId }),
    summary:
      'Returns the messages of an image job and their variants, oldest first: all of them, or the newest up to a limit.',
    params: jobParams,
    query: messagesQuery,
    status: 200,
    response: messagesResponse,
    handle: async ({ caller, params, query }) => {
      const conversation = await listMessages(caller.db, params.jobId, query);
      if (!conversation) throw new HttpError('not_found');
      return conversation;
    },
  }),
});
