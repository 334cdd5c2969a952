import type { IncomingMessage } from 'node:http';
import { type OutgoingTokens, UserBanned } from '@/supabase/local/backend/auth/access-token';
import { adminRoutes } from '@/supabase/local/backend/auth/admin-users';
import { InvalidToken, type Tokens } from '@/supabase/local/backend/auth/tokens';
import { type ApiKeys, identify, NotAllowed, presented } from '@/supabase/local/backend/caller';
import type { Database } from '@/supabase/local/backend/database';
import { json, type Reply } from '@/supabase/local/backend/reply';
import type { Lite } from '@/supabase/local/backend/rest/lite';
import { type ChangeJson, type Passed, passOn } from '@/supabase/local/backend/rest/pass-on';

export type AuthParts = {
  keys: ApiKeys;
  tokens: Tokens;
  outgoing: OutgoingTokens;
  database: Database;
  lite: Lite;
};

/** An error as the auth API words it. */
export function authError(status: number, code: string, message: string): Reply {
  return json({ code: status, error_code: code, msg: message }, status);
}

function methodOf(path: string, search: URLSearchParams): string | null {
  if (path === '/auth/v1/verify') return 'otp';
  return search.get('grant_type') === 'refresh_token' ? null : 'password';
}

/** @supabase/lite makes an account for an unknown address that asks for a link, also where sign-up is closed. */
const noNewUser: ChangeJson = (value) =>
  typeof value === 'object' ? { ...value, create_user: false } : value;

async function renewInBody(passed: Passed, outgoing: OutgoingTokens, method: string | null): Promise<Reply> {
  const body: unknown = JSON.parse(passed.body.toString());
  if (typeof body === 'object' && body !== null && 'access_token' in body) {
    const renewed = await outgoing.renew(String(body.access_token), method);
    return { ...passed, body: JSON.stringify({ ...body, access_token: renewed }) };
  }
  return passed;
}

async function renewInLocation(passed: Passed, outgoing: OutgoingTokens): Promise<Reply> {
  const location = passed.headers.location ?? '';
  const [address, fragment = ''] = location.split('#');
  const values = new URLSearchParams(fragment);
  const token = values.get('access_token');
  if (!token) return passed;
  values.set('access_token', await outgoing.renew(token, 'otp'));
  return { ...passed, headers: { ...passed.headers, location: `${address}#${values}` } };
}

/** /auth/v1: our own key set and admin API; all else is the auth core's, with its tokens issued anew. */
export function authRoutes(parts: AuthParts) {
  const { keys, tokens, outgoing, database, lite } = parts;
  const admin = adminRoutes(database);

  return async (request: IncomingMessage, url: URL): Promise<Reply> => {
    const path = url.pathname;
    if (path === '/auth/v1/.well-known/jwks.json') {
      return json(tokens.jwks, 200, { 'cache-control': 'public, max-age=600' });
    }
    try {
      if (path.startsWith('/auth/v1/admin/')) {
        const caller = await identify(keys, tokens, presented(request.headers, url.searchParams));
        if (caller.role !== 'service_role') return authError(403, 'not_admin', 'User not allowed');
        return await admin(request, url);
      }
      const passed = await passOn(
        request,
        url,
        lite,
        keys,
        tokens,
        path === '/auth/v1/otp' ? noNewUser : undefined,
      );
      if (passed.status === 303 || passed.status === 302) return await renewInLocation(passed, outgoing);
      const isToken = /^\/auth\/v1\/(token|signup|verify)$/.test(path) && passed.status < 300;
      return isToken ? await renewInBody(passed, outgoing, methodOf(path, url.searchParams)) : passed;
    } catch (error) {
      if (error instanceof InvalidToken) return authError(403, 'bad_jwt', `invalid JWT: ${error.message}`);
      if (error instanceof UserBanned) return authError(400, 'user_banned', error.message);
      if (error instanceof NotAllowed)
        return json({ message: error.message, hint: 'Check the apikey header.' }, 401);
      throw error;
    }
  };
}
