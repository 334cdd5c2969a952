import { methods, route } from '@/lib/http/route';
import { documentVersion } from '@/lib/export/queries';
import { documentParams, documentQuery, documentVersionResponse } from '@/lib/export/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: "Returns the version of a project's document without its pages.",
    params: documentParams,
    query: documentQuery,
    status: 200,
    response: documentVersionResponse,
    handle: ({ caller, projectId, query }) => documentVersion(caller.db, { projectId, ...query }),
  }),
});
