import { methods, route } from '@/lib/http/route';
import { specChanges } from '@/lib/specs/changes/spec-changes';
import { changesQuery, changesResponse, specParams } from '@/lib/specs/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary:
      'Returns the sections or pages of a spec that differ from another version, with the changed text.',
    docs: { codes: ['not_found'] },
    rate: 'search',
    params: specParams,
    query: changesQuery,
    status: 200,
    response: changesResponse,
    handle: ({ caller, params, query }) => specChanges(caller.db, params.id, query.from),
  }),
});
