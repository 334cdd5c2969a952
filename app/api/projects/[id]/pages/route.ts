import { getDocument } from '@/lib/export/queries';
import { saveDocument } from '@/lib/export/save-document';
import { documentParams, MAX_DOCUMENT_BYTES, placeInDocument, projectDocument } from '@/lib/export/schema';
import { methods, route } from '@/lib/http/route';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: "A project's document: its pages and cover.",
    params: documentParams,
    status: 200,
    response: projectDocument,
    handle: ({ caller, projectId }) => getDocument(caller.db, projectId),
  }),
  PUT: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: "Saves a project's document over the version that it names.",
    docs: { codes: ['state_conflict'] },
    params: documentParams,
    body: projectDocument,
    maxBytes: MAX_DOCUMENT_BYTES,
    place: placeInDocument,
    status: 200,
    response: projectDocument,
    handle: ({ caller, projectId, body }) => saveDocument(projectId, body, caller.userId),
  }),
});
