import { cacheable } from '@/lib/http/cacheable';
import { methods, route } from '@/lib/http/route';
import { projectParams } from '@/lib/projects/schema';
import { findStandards } from '@/lib/specs/standards/find-standards';
import { listStandardsQuery, standardsResponse } from '@/lib/specs/standards/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Lists the brand standards whose sections can be put on a page.',
    docs: { cacheable: true },
    params: projectParams,
    query: listStandardsQuery,
    status: 200,
    response: standardsResponse,
    // `no-cache` saves the transfer, but never the check of the caller's role.
    handle: async ({ query }) =>
      cacheable(Object.freeze(await findStandards(query)), { 'cache-control': 'private, no-cache' }),
  }),
});
