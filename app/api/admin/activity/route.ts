import { methods, route } from '@/lib/http/route';
import { listActivity } from '@/lib/activity/queries';
import { activityResponse, listActivityQuery } from '@/lib/activity/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Lists events of the audit log, newest first.',
    query: listActivityQuery,
    status: 200,
    response: activityResponse,
    handle: ({ query }) => listActivity(query),
  }),
});
