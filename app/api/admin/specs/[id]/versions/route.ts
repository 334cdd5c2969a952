import { methods, route } from '@/lib/http/route';
import { HttpError } from '@/lib/errors/problem';
import { specParams, specVersionsResponse, versionsQuery } from '@/lib/specs/schema';
import { listSpecVersions } from '@/lib/specs/versions';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Lists the versions of a spec, newest first.',
    docs: { codes: ['not_found'] },
    params: specParams,
    query: versionsQuery,
    status: 200,
    response: specVersionsResponse,
    handle: async ({ caller, params, query }) => {
      const page = await listSpecVersions(caller.db, params.id, query);
      if (!page) throw new HttpError('not_found');
      return page;
    },
  }),
});
