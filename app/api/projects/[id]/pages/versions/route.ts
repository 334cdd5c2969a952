import { methods, route } from '@/lib/http/route';
import {
  documentParams,
  documentQuery,
  documentVersionsResponse,
  keepVersionBody,
  keptResponse,
  listVersionsQuery,
} from '@/lib/export/schema';
import { keepVersion, listDocumentVersions } from '@/lib/export/versions';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary:
      "Lists the kept versions of a project's document, newest first, with the number of pages that differ from the one before.",
    params: documentParams,
    query: listVersionsQuery,
    status: 200,
    response: documentVersionsResponse,
    handle: ({ projectId, query }) => listDocumentVersions(projectId, query),
  }),
  POST: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary:
      "Keeps the current version of a project's document, with an optional name. A document can have 50 named versions, with 64 MB together.",
    docs: { codes: ['state_conflict', 'document_archived'] },
    params: documentParams,
    query: documentQuery,
    body: keepVersionBody,
    status: 201,
    response: keptResponse,
    location: (kept, { id }) => `/api/projects/${id}/pages/versions/${kept.id}`,
    handle: async ({ projectId, query, body }) => ({
      id: await keepVersion({ projectId, ...query }, body.version, body.name),
    }),
  }),
});
