import { methods, route } from '@/lib/http/route';
import { listRefused } from '@/lib/workflow/refused/list-refused';
import { listRefusedQuery, refusedAnswer } from '@/lib/workflow/refused/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Lists the callbacks that were refused, counted per reason and minute, newest first.',
    query: listRefusedQuery,
    status: 200,
    response: refusedAnswer,
    handle: ({ query }) => listRefused(query),
  }),
});
