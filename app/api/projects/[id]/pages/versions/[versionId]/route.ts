import { methods, route } from '@/lib/http/route';
import { inDocumentThread } from '@/app/in-document-thread';
import { projectDocument } from '@/lib/document/schema';
import { jsonWith } from '@/lib/export/packed-document';
import { documentQuery, nameVersionBody, versionParams } from '@/lib/export/schema';
import { nameVersion, versionRows } from '@/lib/export/versions';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: "Returns a kept version of a project's document.",
    params: versionParams,
    query: documentQuery,
    status: 200,
    response: projectDocument,
    handle: async ({ caller, projectId, params, query, memory }) => {
      const rows = await versionRows({ projectId, ...query }, params.versionId, memory.take);
      const { pages, ...rest } = (await inDocumentThread('parseStored', { rows }, caller.userId)).document;
      return jsonWith(rest, 'pages', pages);
    },
  }),
  PATCH: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary:
      'Names or renames a kept version. Null removes the name; the version can then be removed over time.',
    docs: { codes: ['state_conflict', 'document_archived'] },
    params: versionParams,
    query: documentQuery,
    body: nameVersionBody,
    status: 204,
    handle: ({ projectId, params, query, body }) =>
      nameVersion({ projectId, ...query }, params.versionId, body.name),
  }),
});
