import { methods, route } from '@/lib/http/route';
import { cacheable } from '@/lib/http/cacheable';
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
    // With `no-cache`, browsers revalidate their copy each time, so the caller's role is always checked.
    handle: async ({ query }) =>
      cacheable(Object.freeze(await findStandards(query)), { 'cache-control': 'private, no-cache' }),
  }),
});
