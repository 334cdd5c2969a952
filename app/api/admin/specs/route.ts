import { methods, route } from '@/lib/http/route';
import { listSpecs } from '@/lib/specs/queries';
import { listSpecsQuery, specsAnswer } from '@/lib/specs/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Lists specs, newest first, with how many stand in each state.',
    query: listSpecsQuery,
    status: 200,
    response: specsAnswer,
    handle: ({ caller, query }) => listSpecs(caller.db, query),
  }),
});
