import { methods, route } from '@/lib/http/route';
import { listExports } from '@/lib/export/queries';
import { exportsResponse, listExportsQuery } from '@/lib/export/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ query }) => ({ projectId: query.projectId }),
    summary: 'Lists the exports of a project, or of one of its documents, newest first.',
    query: listExportsQuery,
    status: 200,
    response: exportsResponse,
    handle: ({ caller, query }) => listExports(caller.db, query),
  }),
});
