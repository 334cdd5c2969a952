import { methods, route } from '@/lib/http/route';
import { createToken } from '@/lib/tokens/create-token';
import { listTokens } from '@/lib/tokens/queries';
import { createdToken, createTokenBody, listTokensQuery, tokensResponse } from '@/lib/tokens/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'signed-in',
    summary: 'Lists your own access tokens, newest first.',
    query: listTokensQuery,
    status: 200,
    response: tokensResponse,
    handle: ({ caller, query }) => listTokens(caller.userId, query),
  }),
  POST: route({
    // Accept only sessions, because a leaked token must not be able to create other tokens.
    access: 'session',
    summary: 'Creates an access token. The response is the only one that contains the token.',
    docs: { codes: ['state_conflict'] },
    rate: 'costly',
    body: createTokenBody,
    status: 201,
    response: createdToken,
    location: ({ id, kind }) => (kind === 'service' ? `/api/admin/tokens/${id}` : `/api/tokens/${id}`),
    handle: async ({ caller, body, log }) => {
      const created = await createToken(caller, body);
      const { id, kind, role } = created;
      log.info({ tokenId: id, kind, role, userId: caller.userId }, 'access token created');
      return created;
    },
  }),
});
