'use client';

import { type Pages, usePages } from '@/hooks/use-pages';
import type { AccessToken, TokensResponse } from '@/lib/tokens/schema';
import { readTokens, type TokenScope } from './token-calls';

const pageOf = ({ tokens, nextCursor }: TokensResponse) => ({ items: tokens, nextCursor });

/** Returns a list of access tokens. `initial` is the server-rendered first page of the user's own tokens. */
export function useAccessTokens(scope: TokenScope, initial: TokensResponse): Pages<AccessToken> {
  return usePages({
    queryKey: ['access-tokens', scope],
    read: async (cursor, signal) => pageOf(await readTokens(scope, cursor, signal)),
    initial: pageOf(initial),
  });
}
