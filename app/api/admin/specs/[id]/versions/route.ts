import { HttpError } from '@/lib/errors/problem';
import { methods, route } from '@/lib/http/route';
import { specParams, versionsResponse } from '@/lib/specs/schema';
import { listVersions } from '@/lib/specs/versions';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Lists the versions of a spec, newest first.',
    docs: { codes: ['not_found'] },
    params: specParams,
    status: 200,
    response: versionsResponse,
    handle: async ({ caller, params }) => {
      const versions = await listVersions(caller.db, params.id);
      if (!versions) throw new HttpError('not_found');
      return { versions };
    },
  }),
});
