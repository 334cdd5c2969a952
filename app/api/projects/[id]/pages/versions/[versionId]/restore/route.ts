import { methods, route } from '@/lib/http/route';
import { inDocumentThread } from '@/app/in-document-thread';
import { projectDocument } from '@/lib/document/schema';
import { documentRows } from '@/lib/export/queries';
import { saveDocument } from '@/lib/export/save-document';
import { documentQuery, restoreVersionBody, versionParams } from '@/lib/export/schema';
import { keepVersion, versionRows } from '@/lib/export/versions';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary:
      "Restores all or some pages of a kept version as a new version of a project's document. The replaced version is kept.",
    docs: { codes: ['state_conflict', 'document_archived'] },
    params: versionParams,
    query: documentQuery,
    body: restoreVersionBody,
    status: 200,
    response: projectDocument,
    handle: async ({ caller, projectId, params, query, body, memory }) => {
      const key = { projectId, ...query };
      const earlier = await versionRows(key, params.versionId, memory.take);
      await keepVersion(key, body.version);
      const current = await documentRows(caller, key, memory.take);
      const input = { current, earlier, pageIds: body.pageIds ?? null };
      const restored = await inDocumentThread('parseRestored', input, caller.userId);
      return saveDocument(caller, key, { ...restored, version: body.version });
    },
  }),
});
