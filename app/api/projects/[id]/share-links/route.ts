import { methods, route } from '@/lib/http/route';
import { createShareLink } from '@/lib/share-links/create-link';
import { listShareLinks } from '@/lib/share-links/links';
import {
  createdShareLink,
  createShareLinkBody,
  shareLinksParams,
  shareLinksResponse,
} from '@/lib/share-links/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Lists the share links of a project that work, newest first. There are at most 100.',
    params: shareLinksParams,
    status: 200,
    response: shareLinksResponse,
    handle: async ({ projectId }) => ({ shareLinks: await listShareLinks(projectId) }),
  }),
  POST: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary:
      'Creates a link with which people without an account see images or the document. The response is the only one that contains the URL.',
    docs: { codes: ['state_conflict'] },
    rate: 'costly',
    params: shareLinksParams,
    body: createShareLinkBody,
    status: 201,
    response: createdShareLink,
    location: (link, { id }) => `/api/projects/${id}/share-links/${link.id}`,
    handle: async ({ caller, projectId, body, log }) => {
      const created = await createShareLink(projectId, caller, body);
      const { id: linkId, kind } = created;
      log.info({ linkId, kind, projectId, userId: caller.userId }, 'share link created');
      return created;
    },
  }),
});
