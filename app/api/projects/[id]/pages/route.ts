import { inDocumentThread } from '@/app/in-document-thread';
import { MAX_DOCUMENT_BYTES, projectDocument } from '@/lib/document/schema';
import { deriveAhead } from '@/lib/export/derive-ahead';
import { jsonWith } from '@/lib/export/packed-document';
import { documentRows } from '@/lib/export/queries';
import { saveDocument } from '@/lib/export/save-document';
import { documentParams, savedDocument } from '@/lib/export/schema';
import { methods, route } from '@/lib/http/route';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: "Returns a project's document: its pages and cover.",
    params: documentParams,
    status: 200,
    response: projectDocument,
    handle: async ({ caller, projectId, held }) => {
      const rows = await documentRows(caller, projectId, held.take);
      const { pages, ...rest } = (await inDocumentThread('parseStored', { rows }, caller.userId)).document;
      return jsonWith(rest, 'pages', pages);
    },
  }),
  PUT: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: "Saves a project's document over the version that it is based on.",
    docs: { codes: ['state_conflict'] },
    params: documentParams,
    body: savedDocument,
    parseBody: (body, userId) => inDocumentThread('parseSaved', { body }, userId),
    maxBytes: MAX_DOCUMENT_BYTES,
    status: 200,
    response: projectDocument,
    handle: async ({ caller, projectId, body }) => {
      const saved = await saveDocument(caller, projectId, body);
      deriveAhead(projectId, saved, (document) => inDocumentThread('onlyImages', { saved: document }));
      return saved;
    },
  }),
});
