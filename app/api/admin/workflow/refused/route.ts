import { methods, route } from '@/lib/http/route';
import { listRefused } from '@/lib/workflow-events/refused/list-refused';
import { listRefusedQuery, refusedResponse } from '@/lib/workflow-events/refused/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Lists the callbacks that were rejected, counted per reason and minute, newest first.',
    query: listRefusedQuery,
    status: 200,
    response: refusedResponse,
    handle: ({ query }) => listRefused(query),
  }),
});
