import { methods, route } from '@/lib/http/route';
import { restoreDocument } from '@/lib/export/documents/change-document';
import { requireDocument } from '@/lib/export/documents/list-documents';
import { documentSummary, oneDocumentParams } from '@/lib/export/documents/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Restores a document that was deleted less than 30 days ago.',
    docs: { codes: ['state_conflict'] },
    params: oneDocumentParams,
    status: 200,
    response: documentSummary,
    handle: async ({ projectId, params: { documentId } }) => {
      const key = { projectId, documentId };
      await restoreDocument(key);
      return requireDocument(key);
    },
  }),
});
