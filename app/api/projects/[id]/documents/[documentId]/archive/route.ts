import { methods, route } from '@/lib/http/route';
import { archiveDocument } from '@/lib/export/documents/change-document';
import { requireDocument } from '@/lib/export/documents/list-documents';
import { archiveDocumentBody, documentSummary, oneDocumentParams } from '@/lib/export/documents/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Archives a document, which can then only be read, or unarchives it.',
    docs: { codes: ['state_conflict'] },
    params: oneDocumentParams,
    body: archiveDocumentBody,
    status: 200,
    response: documentSummary,
    handle: async ({ caller, projectId, params: { documentId }, body }) => {
      const key = { projectId, documentId };
      await archiveDocument(key, caller.userId, body.archived);
      return requireDocument(key);
    },
  }),
});
