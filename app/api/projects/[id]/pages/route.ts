import { methods, route } from '@/lib/http/route';
import { inDocumentThread } from '@/app/in-document-thread';
import { MAX_DOCUMENT_BYTES, projectDocument } from '@/lib/document/schema';
import { jsonWith } from '@/lib/export/packed-document';
import { documentRows } from '@/lib/export/queries';
import { saveDocument } from '@/lib/export/save-document';
import { documentParams, documentQuery, savedDocument } from '@/lib/export/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: "Returns a project's main document, or the named one: its pages and cover.",
    params: documentParams,
    query: documentQuery,
    status: 200,
    response: projectDocument,
    handle: async ({ caller, projectId, query, memory }) => {
      const rows = await documentRows(caller, { projectId, ...query }, memory.take);
      const { pages, ...rest } = (await inDocumentThread('parseStored', { rows }, caller.userId)).document;
      return jsonWith(rest, 'pages', pages);
    },
  }),
  PUT: route({
    access: 'editor',
    summary: "Saves a project's main document, or the named one, over the version that it is based on.",
    docs: { codes: ['state_conflict', 'document_archived'] },
    params: documentParams,
    query: documentQuery,
    body: savedDocument,
    parseBody: (body, userId) => inDocumentThread('parseSaved', { body }, userId),
    project: ({ params }) => ({ projectId: params.id }),
    maxBytes: MAX_DOCUMENT_BYTES,
    status: 200,
    response: projectDocument,
    handle: ({ caller, projectId, query, body }) => saveDocument(caller, { projectId, ...query }, body),
  }),
});
