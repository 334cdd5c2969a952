import type { Tokens } from '@/supabase/local/backend/auth/tokens';

export type Claims = { role: string; sub?: string; exp?: number; [claim: string]: unknown };
export type ApiKeys = { publishableKey: string; secretKey: string };

/** Thrown for a request with an unknown API key, with neither key nor token, or with a secret key sent by a browser. */
export class NotAllowed extends Error {
  override name = 'NotAllowed';
}

type Presented = { apiKey: string; bearer: string; userAgent: string };

/** Returns the API key, bearer token and user agent of a request. A missing value is ''. */
export function presented(headers: NodeJS.Dict<string | string[]>, search: URLSearchParams): Presented {
  const one = (name: string) => String(headers[name] ?? '');
  return {
    apiKey: one('apikey') || (search.get('apikey') ?? ''),
    bearer: /^Bearer +(\S+) *$/i.exec(one('authorization'))?.[1] ?? '',
    userAgent: one('user-agent'),
  };
}

/**
 * Returns the claims of a valid access token. Without a token, the claims consist of the API key's role. Throws
 * InvalidToken for an invalid token. Throws NotAllowed for an unknown key, for a request with neither key nor token
 * and, as hosted Supabase does, for a secret key sent by a browser.
 */
export async function identify(keys: ApiKeys, tokens: Tokens, request: Presented): Promise<Claims> {
  const { apiKey, bearer, userAgent } = request;
  const isKey = (value: string) => value === keys.publishableKey || value === keys.secretKey;
  if (apiKey && !isKey(apiKey)) throw new NotAllowed('Invalid API key');
  if ([apiKey, bearer].includes(keys.secretKey) && /^\s*Mozilla\/5/i.test(userAgent)) {
    throw new NotAllowed('Forbidden use of secret API key in browser');
  }
  if (bearer && !isKey(bearer)) {
    if (bearer.startsWith('sb_')) throw new NotAllowed('Invalid API key');
    return (await tokens.verify(bearer)).claims;
  }
  if (apiKey === keys.secretKey || bearer === keys.secretKey) return { role: 'service_role' };
  if (apiKey || bearer) return { role: 'anon' };
  throw new NotAllowed('No API key found in request');
}
