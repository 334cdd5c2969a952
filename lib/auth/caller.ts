import { createClient } from '@supabase/supabase-js';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { serverEnv } from '@/lib/env/server';
import { HttpError } from '@/lib/errors/problem';
import { uuid } from '@/lib/http/uuid';
import { isAuthUnavailable } from '@/lib/supabase/auth-unavailable';
import { fetchWithTimeout } from '@/lib/supabase/fetch-with-timeout';
import type { FetchThrough } from '@/lib/supabase/json-bytes';
import { cookieAccessToken, type Db, tokenDb, userDb } from '@/lib/supabase/request';
import type { TokenRole } from './access';
import { accessTokenKey, isAccessToken, tokenHolder } from './access-token';
import { recentAccount } from './account';

/** The authenticated user, and a database client with this user's rights. */
export type Caller = {
  userId: string;
  email: string;
  /** The id of the session, or null for an access token. */
  sessionId: string | null;
  isAdmin: boolean;
  /**
   * Whether the session's JWT claims the admin role. The account may have lost this role since the JWT was issued. For
   * an access token, the same as `isAdmin`.
   */
  claimsAdmin: boolean;
  /** How the caller authenticated. Browsers add cookies by themselves, so writes with `cookie` need an origin check. */
  via: 'cookie' | 'bearer' | 'token';
  /** The limit set by an access token; null for a session. If `isService` is true, the token has `role` in every project. */
  limit: { role: TokenRole; isService: boolean } | null;
  db: Db;
  /** Creates a client with the rights of `db` for a single call whose JSON response is read as bytes. */
  dbThrough: (through: FetchThrough) => Db;
};

const claimsSchema = z.object({
  sub: uuid,
  exp: z.number(),
  session_id: uuid,
  role: z.literal('authenticated'),
  email: z.string().optional().default(''),
  app_metadata: z.object({ role: z.string().optional() }).optional(),
});
type Claims = z.infer<typeof claimsSchema>;

let verifier: ReturnType<typeof createClient>['auth'] | undefined;
// A page sends many requests with the same token, so its signature is verified only once.
const verified = new LRUCache<string, Claims>({ max: 5_000 });

async function verifyToken(token: string): Promise<Claims | null> {
  const cached = verified.get(token);
  if (cached) return cached.exp * 1000 > Date.now() ? cached : null;
  const env = serverEnv();
  verifier ??= createClient(env.NEXT_PUBLIC_SUPABASE_URL, env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: fetchWithTimeout(5_000) },
  }).auth;
  // For some malformed tokens, getClaims throws instead of returning an error.
  const { data, error } = await verifier
    .getClaims(token)
    .catch((thrown: unknown) => ({ data: null, error: thrown }));
  if (isAuthUnavailable(error)) {
    throw new HttpError('unavailable', 'The sign-in service is unavailable.', {
      retryAfter: 5,
      cause: error,
    });
  }
  const claims = claimsSchema.safeParse(data?.claims);
  if (error || !claims.success) return null;
  const ttl = claims.data.exp * 1000 - Date.now();
  if (ttl <= 0) return null;
  verified.set(token, claims.data, { ttl });
  return claims.data;
}

/** Returns the error for a caller without a valid session or token. */
export function unauthenticated(detail?: string): HttpError {
  return new HttpError('unauthenticated', detail, { headers: { 'www-authenticate': 'Bearer' } });
}

/**
 * Adds the database clients. `db` is created on first use, because many routes need no database, and creating a client
 * costs more than everything else that such a route does.
 */
function withDb(caller: Omit<Caller, 'db' | 'dbThrough'>, dbThrough: (through?: FetchThrough) => Db): Caller {
  let db: Db | undefined;
  return {
    ...caller,
    dbThrough,
    get db() {
      db ??= dbThrough();
      return db;
    },
  };
}

async function tokenCaller(token: string): Promise<Caller> {
  const key = accessTokenKey(token);
  const holder = await tokenHolder(key);
  if (!holder) throw unauthenticated('The access token is unknown, expired or revoked.');
  const { account_id: userId, email, role, is_service: isService, is_admin: isAdmin } = holder;
  const caller = {
    userId,
    email,
    sessionId: null,
    isAdmin,
    claimsAdmin: isAdmin,
    via: 'token',
    limit: { role, isService },
  } as const;
  return withDb(caller, (through) => tokenDb(key, through));
}

/**
 * Returns the caller of a request. Reads the `Authorization` header or, if the request has none, the session cookie.
 * Returns null if there is no valid session. A session that has ended, or whose account was deleted or banned, can still
 * count as valid for up to a minute, but `db` already reads no rows. While the database is unavailable, the session
 * continues to count as valid. Throws `unauthenticated` for an invalid access token. Throws `unavailable` if the sign-in service is
 * unavailable or, for an access token, if the database is unavailable.
 */
export async function getCaller(authorization: string | null): Promise<Caller | null> {
  const credential = authorization?.match(/^Bearer (\S+)$/i)?.[1] ?? '';
  if (isAccessToken(credential)) return tokenCaller(credential);
  const bearer = credential.match(/^[\w-]+\.[\w-]+\.[\w-]+$/)?.[0];
  if (authorization && !bearer) return null;
  const token = bearer ?? (await cookieAccessToken());
  if (!token) return null;
  const claims = await verifyToken(token);
  if (!claims) return null;
  const { sub: userId, session_id: sessionId } = claims;
  const account = await recentAccount(userId, sessionId);
  if (!account.isActive) return null;
  const claimsAdmin = claims.app_metadata?.role === 'admin';
  return withDb(
    {
      userId,
      email: claims.email,
      sessionId,
      isAdmin: claimsAdmin && account.isAdmin,
      claimsAdmin,
      via: bearer ? 'bearer' : 'cookie',
      limit: null,
    },
    (through) => userDb(token, through),
  );
}
