import { methods, route } from '@/lib/http/route';
import { deleteDocument, renameDocument } from '@/lib/export/documents/change-document';
import { requireDocument } from '@/lib/export/documents/list-documents';
import { documentSummary, oneDocumentParams, renameDocumentBody } from '@/lib/export/documents/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Returns a document of a project without its pages.',
    params: oneDocumentParams,
    status: 200,
    response: documentSummary,
    handle: ({ projectId, params: { documentId } }) => requireDocument({ projectId, documentId }),
  }),
  PATCH: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Renames a document.',
    docs: { codes: ['state_conflict'] },
    params: oneDocumentParams,
    body: renameDocumentBody,
    status: 200,
    response: documentSummary,
    handle: async ({ caller, projectId, params: { documentId }, body }) => {
      const key = { projectId, documentId };
      await renameDocument(key, caller.userId, body.name);
      return requireDocument(key);
    },
  }),
  DELETE: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Deletes a document other than the main one. It can be restored for 30 days.',
    docs: { codes: ['state_conflict'] },
    params: oneDocumentParams,
    status: 204,
    handle: ({ projectId, params: { documentId } }) => deleteDocument({ projectId, documentId }),
  }),
});
