import { methods, route } from '@/lib/http/route';
import { revokeToken } from '@/lib/tokens/revoke-token';
import { tokenParams } from '@/lib/tokens/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route({
    access: 'signed-in',
    summary: 'Revokes one of your own access tokens at once.',
    docs: { codes: ['not_found'] },
    params: tokenParams,
    status: 204,
    handle: async ({ caller, params, log }) => {
      await revokeToken(params.id, caller.userId);
      log.info({ tokenId: params.id, userId: caller.userId }, 'access token revoked');
    },
  }),
});
