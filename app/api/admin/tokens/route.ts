import { methods, route } from '@/lib/http/route';
import { listTokens } from '@/lib/tokens/queries';
import { listAllTokensQuery, tokensResponse } from '@/lib/tokens/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Lists the access tokens of all people and services, newest first.',
    query: listAllTokensQuery,
    status: 200,
    response: tokensResponse,
    handle: ({ query }) => listTokens(null, query),
  }),
});
