import { inDocumentThread } from '@/app/in-document-thread';
import { documentParams, MAX_DOCUMENT_BYTES, projectDocument, savedDocument } from '@/lib/export/schema';
import { methods, route } from '@/lib/http/route';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: "Returns a project's document: its pages and cover.",
    params: documentParams,
    status: 200,
    response: projectDocument,
    handle: ({ caller: { token, userId }, projectId }) =>
      inDocumentThread('readDocument', { token, projectId }, userId),
  }),
  PUT: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: "Saves a project's document over the version that it is based on.",
    docs: { codes: ['state_conflict'] },
    params: documentParams,
    body: savedDocument,
    parseBody: async (bytes) => bytes,
    maxBytes: MAX_DOCUMENT_BYTES,
    status: 200,
    response: projectDocument,
    handle: ({ caller: { userId }, projectId, body }) =>
      inDocumentThread('saveDocument', { body, projectId, userId }, userId),
  }),
});
