import { methods, route } from '@/lib/http/route';
import { revokeShareLink } from '@/lib/share-links/links';
import { shareLinkParams } from '@/lib/share-links/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Revokes a share link of a project at once.',
    params: shareLinkParams,
    status: 204,
    handle: async ({ caller, projectId, params, log }) => {
      await revokeShareLink(projectId, params.linkId);
      log.info({ linkId: params.linkId, projectId, userId: caller.userId }, 'share link revoked');
    },
  }),
});
