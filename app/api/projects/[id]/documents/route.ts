import { methods, route } from '@/lib/http/route';
import { createDocument } from '@/lib/export/documents/create-document';
import { listDocuments, requireDocument } from '@/lib/export/documents/list-documents';
import {
  createDocumentBody,
  documentSummary,
  documentsResponse,
  listDocumentsQuery,
} from '@/lib/export/documents/schema';
import { documentParams } from '@/lib/export/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary:
      'Lists the documents of a project, or its archived or deleted ones: the main document first, then newest first. There are at most 100.',
    params: documentParams,
    query: listDocumentsQuery,
    status: 200,
    response: documentsResponse,
    handle: async ({ projectId, query }) => ({ documents: await listDocuments(projectId, query.state) }),
  }),
  POST: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary:
      'Creates a document without pages, with the paper, masters and brand kit of the main one, or a copy of one. A project can have 100 documents.',
    docs: { codes: ['state_conflict'] },
    rate: 'costly',
    idempotent: true,
    params: documentParams,
    body: createDocumentBody,
    status: 201,
    response: documentSummary,
    location: (created, { id }) => `/api/projects/${id}/documents/${created.id}`,
    handle: async ({ caller, projectId, body, idempotency }) => {
      const documentId = await createDocument(projectId, caller.userId, body, idempotency);
      return requireDocument({ projectId, documentId });
    },
  }),
});
