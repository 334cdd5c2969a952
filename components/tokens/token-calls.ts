import { z } from 'zod';
import { pageParams } from '@/hooks/pages';
import { ApiError, callApi } from '@/lib/http/client';
import {
  type AccessToken,
  type CreatedToken,
  type CreateTokenBody,
  createdToken,
  type TokensResponse,
  tokensResponse,
} from '@/lib/tokens/schema';

/** The tokens in a list. `own` means the user's own tokens. `all` means all tokens, which only administrators see. */
export type TokenScope = 'own' | 'all';

const paths: Record<TokenScope, string> = { own: '/api/tokens', all: '/api/admin/tokens' };

/** Returns one page of access tokens, newest first. */
export function readTokens(
  scope: TokenScope,
  cursor: string | null,
  signal: AbortSignal,
): Promise<TokensResponse> {
  const query = new URLSearchParams(pageParams(50, cursor));
  return callApi(`${paths[scope]}?${query}`, { schema: tokensResponse, signal });
}

export function createToken(body: CreateTokenBody): Promise<CreatedToken> {
  return callApi('/api/tokens', { method: 'POST', body, schema: createdToken });
}

/** Returns the valid tokens of services that a person created. There are at most 50. */
export async function readServiceTokens(personId: string): Promise<AccessToken[]> {
  const filter = { createdBy: personId, kind: 'service', valid: 'true' };
  const query = new URLSearchParams({ ...pageParams(100, null), ...filter });
  return (await callApi(`${paths.all}?${query}`, { schema: tokensResponse })).tokens;
}

/** Revokes a token. Also succeeds if the token has already been revoked elsewhere. */
export async function revokeToken(scope: TokenScope, { id }: AccessToken): Promise<void> {
  const path = `${paths[scope]}/${id}`;
  await callApi(path, { method: 'DELETE', schema: z.undefined() }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
  });
}
