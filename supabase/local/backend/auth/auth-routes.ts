import type { IncomingMessage } from 'node:http';
import { type OutgoingTokens, UserBanned } from '@/supabase/local/backend/auth/access-token';
import { adminRoutes } from '@/supabase/local/backend/auth/admin-users';
import {
  CurrentPasswordRefused,
  requireCurrentPassword,
} from '@/supabase/local/backend/auth/current-password';
import {
  createSignInLimiter,
  type SignInLimiter,
  TooManyGuesses,
} from '@/supabase/local/backend/auth/sign-in-limiter';
import { InvalidToken, type Tokens } from '@/supabase/local/backend/auth/tokens';
import { type ApiKeys, type Claims, identify, NotAllowed, presented } from '@/supabase/local/backend/caller';
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

/** Returns an error response in the format of the auth API. */
export function authError(status: number, code: string, message: string): Reply {
  return json({ code: status, error_code: code, msg: message }, status);
}

function methodOf(path: string, search: URLSearchParams): string | null {
  if (path === '/auth/v1/verify') return 'otp';
  return search.get('grant_type') === 'refresh_token' ? null : 'password';
}

/**
 * Prevents a request for a sign-in link from creating an account for an unknown email address. @supabase/lite would
 * create one even if sign-up is closed.
 */
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

/** Thrown for a request body that would make the auth core fail. */
class InvalidBody extends Error {
  override name = 'InvalidBody';
}

/**
 * Parses the body as a JSON object. An empty body counts as `{}`. Throws InvalidBody if the body is not a JSON object,
 * or if a credential contains a NUL character or is neither a string nor null.
 */
function credentialsOf(body: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString() || '{}');
  } catch {
    throw new InvalidBody('Could not parse request body as JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidBody('Could not read the body as a JSON object');
  }
  const fields: Record<string, unknown> = { ...value };
  for (const name of ['email', 'password', 'current_password', 'refresh_token', 'token', 'token_hash']) {
    const given = fields[name];
    const isText = typeof given === 'string' && !given.includes('\0');
    if (given !== undefined && given !== null && !isText) throw new InvalidBody(`${name} must be a string`);
  }
  return fields;
}

/** Ends the other sessions of a user who has set a new password, as hosted Supabase does. */
async function signOutOthers(database: Database, { sub, session_id }: Claims): Promise<void> {
  await database.query('delete from auth.sessions where user_id = $1::text::uuid and id <> $2::text::uuid', [
    sub,
    session_id,
  ]);
}

function noteSignIn(brake: SignInLimiter, email: string, status: number): void {
  if (status === 400) brake.failed(email);
  if (status === 200) brake.succeeded(email);
}

/**
 * Returns the handler of /auth/v1. It serves the key set and the admin API itself, passes everything else to the auth
 * core, and replaces the access tokens in the core's responses. It also limits password guessing, and requires the
 * current password for a new one.
 */
export function authRoutes(parts: AuthParts) {
  const { keys, tokens, outgoing, database, lite } = parts;
  const admin = adminRoutes(database);
  const brake = createSignInLimiter();

  /** Returns the user and the session of a request that sets the user's own password, or null for other requests. */
  async function passwordSetter(request: IncomingMessage, url: URL, body: Buffer): Promise<Claims | null> {
    if (request.method !== 'PUT') return null;
    const fields = credentialsOf(body);
    if (typeof fields.password !== 'string') return null;
    const claims = await identify(keys, tokens, presented(request.headers, url.searchParams));
    await requireCurrentPassword(database, brake, claims, fields.current_password);
    return claims;
  }

  return async (request: IncomingMessage, url: URL): Promise<Reply> => {
    const path = url.pathname;
    // The auth core decodes paths, so an encoded one would get past the checks below.
    if (path.includes('%')) return authError(404, 'not_found', 'Not found');
    if (path === '/auth/v1/.well-known/jwks.json') {
      return json(tokens.jwks, 200, { 'cache-control': 'public, max-age=600' });
    }
    try {
      if (path.startsWith('/auth/v1/admin/')) {
        const caller = await identify(keys, tokens, presented(request.headers, url.searchParams));
        if (caller.role !== 'service_role') return authError(403, 'not_admin', 'User not allowed');
        return await admin(request, url);
      }
      const isSignIn = path === '/auth/v1/token' && url.searchParams.get('grant_type') === 'password';
      let email = '';
      let setter = null as Claims | null;
      const passed = await passOn(request, url, lite, keys, tokens, {
        check: async (body) => {
          setter = await passwordSetter(request, url, body);
          if (request.method !== 'POST') return;
          email = String(credentialsOf(body).email ?? '');
          if (isSignIn) brake.require(email);
        },
        changeJson: path === '/auth/v1/otp' ? noNewUser : undefined,
      });
      if (isSignIn) noteSignIn(brake, email, passed.status);
      if (setter && passed.status === 200) await signOutOthers(database, setter);
      if (passed.status === 303 || passed.status === 302) return await renewInLocation(passed, outgoing);
      const isToken = /^\/auth\/v1\/(token|signup|verify)$/.test(path) && passed.status < 300;
      return isToken ? await renewInBody(passed, outgoing, methodOf(path, url.searchParams)) : passed;
    } catch (error) {
      if (error instanceof InvalidToken) return authError(403, 'bad_jwt', `invalid JWT: ${error.message}`);
      if (error instanceof InvalidBody) return authError(400, 'bad_json', error.message);
      if (error instanceof CurrentPasswordRefused) return authError(400, error.code, error.message);
      if (error instanceof TooManyGuesses) {
        return authError(429, 'over_request_rate_limit', 'Request rate limit reached');
      }
      if (error instanceof UserBanned) return authError(400, 'user_banned', error.message);
      if (error instanceof NotAllowed)
        return json({ message: error.message, hint: 'Check the apikey header.' }, 401);
      throw error;
    }
  };
}
