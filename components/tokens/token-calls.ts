import { z } from 'zod';
import { pageParams } from '@/hooks/pages';
import { callApi } from '@/lib/http/client';
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

export async function revokeToken(scope: TokenScope, { id }: AccessToken): Promise<void> {
  await callApi(`${paths[scope]}/${id}`, { method: 'DELETE', schema: z.undefined() });
}
