import { createClient } from '@supabase/supabase-js';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { serverEnv } from '@/lib/env/server';
import { HttpError } from '@/lib/http/problem';
import { uuid } from '@/lib/http/uuid';
import { fetchWithTimeout } from '@/lib/supabase/fetch-with-timeout';
import { cookieAccessToken, type Db, userDb } from '@/lib/supabase/request';
import { recentAccount } from './account';
import { isAuthAway } from './away';

/** The authenticated user, and the database with this user's rights. */
export type Caller = {
  userId: string;
  email: string;
  isAdmin: boolean;
  /** Whether the token claims the admin role; the account may have lost it since. */
  claimsAdmin: boolean;
  /** How the caller authenticated: browsers send a cookie with every request, so its origin is checked. */
  via: 'cookie' | 'bearer';
  /** The access token that `db` uses, for a thread that needs its own client. */
  token: string;
  db: Db;
};

const claimsSchema = z.object({
  sub: uuid,
  exp: z.number(),
  role: z.literal('authenticated'),
  email: z.string().optional().default(''),
  app_metadata: z.object({ role: z.string().optional() }).optional(),
});
type Claims = z.infer<typeof claimsSchema>;

let verifier: ReturnType<typeof createClient>['auth'] | undefined;
// A page sends many requests with one token, whose signature is verified once.
const verified = new LRUCache<string, Claims>({ max: 5_000 });

async function verifyToken(token: string): Promise<Claims | null> {
  const known = verified.get(token);
  if (known) return known.exp * 1000 > Date.now() ? known : null;
  const env = serverEnv();
  verifier ??= createClient(env.NEXT_PUBLIC_SUPABASE_URL, env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: fetchWithTimeout(5_000) },
  }).auth;
  // getClaims throws on a malformed token instead of returning an error.
  const { data, error } = await verifier
    .getClaims(token)
    .catch((thrown: unknown) => ({ data: null, error: thrown }));
  if (isAuthAway(error)) {
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

/**
 * The caller of a request, from `Authorization: Bearer` or else the session cookie. Null without a valid token, or when
 * the account was deleted or banned more than a minute ago.
 * Throws `unavailable` when the sign-in service is unavailable.
 */
export async function getCaller(authorization: string | null): Promise<Caller | null> {
  const bearer = authorization?.match(/^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i)?.[1];
  if (authorization && !bearer) return null;
  const token = bearer ?? (await cookieAccessToken());
  if (!token) return null;
  const claims = await verifyToken(token);
  if (!claims) return null;
  const account = await recentAccount(claims.sub);
  if (!account.isActive) return null;
  const claimsAdmin = claims.app_metadata?.role === 'admin';
  let db: Db | undefined;
  return {
    userId: claims.sub,
    email: claims.email,
    isAdmin: claimsAdmin && account.isAdmin,
    claimsAdmin,
    via: bearer ? 'bearer' : 'cookie',
    token,
    // Made on first use: many routes need no database, and a client costs more than their response.
    get db() {
      db ??= userDb(token);
      return db;
    },
  };
}
