import { methods, route } from '@/lib/http/route';
import { listSpecs } from '@/lib/specs/queries';
import { listSpecsQuery, specsResponse } from '@/lib/specs/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Lists specs, with the number of specs in each status.',
    query: listSpecsQuery,
    status: 200,
    response: specsResponse,
    handle: ({ caller, query }) => listSpecs(caller.db, query),
  }),
});
