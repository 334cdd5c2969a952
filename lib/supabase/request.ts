import { createServerClient } from '@supabase/ssr';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { cookies, headers } from 'next/headers';
import { serverEnv } from '@/lib/env/server';
import { HttpError } from '@/lib/errors/problem';
import { isHttps } from '@/lib/http/security-headers';
import { isAuthUnavailable } from '@/lib/supabase/auth-unavailable';
import type { Database } from './database.types';
import { fetchWithTimeout } from './fetch-with-timeout';
import type { FetchThrough } from './json-bytes';
import { refreshFetch } from './refresh-fetch';

/** The database with the rights of one user, under row level security. */
export type Db = SupabaseClient<Database>;

const clientFetch = fetchWithTimeout(10_000);
/** supabase-js retries a failed refresh, so this is short enough for a user who is waiting for a page. */
const REFRESH_MS = 3_000;

/** The database with the rights of the owner of `accessToken`; `through` makes it a client for a single call whose JSON is read as bytes. */
export function userDb(accessToken: string, through: FetchThrough = (same) => same): Db {
  const env = serverEnv();
  return createClient<Database>(env.NEXT_PUBLIC_SUPABASE_URL, env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY, {
    accessToken: async () => accessToken,
    global: { fetch: through(clientFetch) },
  });
}

/** The header from which the database reads the key of an access token (`private.token_key`). */
const TOKEN_HEADER = 'x-atelier-token';

/**
 * The same for the owner of the access token with this key. An access token has no JWT: signing one would require the
 * signing key of the Supabase project, which a hosted project does not reveal. The database itself checks the key
 * instead, in each statement; without a valid key it shows nothing.
 */
export function tokenDb(key: string, through: FetchThrough = (same) => same): Db {
  const env = serverEnv();
  return createClient<Database>(env.NEXT_PUBLIC_SUPABASE_URL, env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY, {
    accessToken: async () => null,
    global: { fetch: through(clientFetch), headers: { [TOKEN_HEADER]: key } },
  });
}

/**
 * The access token of the session in the request's cookies, refreshed when it has expired; null when there is none. The
 * token is not verified yet. Throws `unavailable` when the sign-in service is unavailable.
 */
export async function cookieAccessToken(): Promise<string | null> {
  const env = serverEnv();
  const jar = await cookies();
  if (!jar.getAll().some((cookie) => cookie.name.startsWith('sb-'))) return null;
  const requestHeaders = await headers();
  const client = createServerClient(env.NEXT_PUBLIC_SUPABASE_URL, env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY, {
    global: { fetch: refreshFetch(requestHeaders, REFRESH_MS) },
    cookieOptions: { secure: isHttps(requestHeaders) },
    cookies: {
      getAll: () => jar.getAll(),
      setAll: (all) => {
        try {
          for (const { name, value, options } of all) jar.set(name, value, options);
        } catch {
          // A server component cannot set cookies; proxy.ts has refreshed the session before it.
        }
      },
    },
  });
  const { data, error } = await client.auth.getSession();
  if (isAuthUnavailable(error)) {
    throw new HttpError('unavailable', 'The sign-in service is unavailable.', {
      retryAfter: 5,
      cause: error,
    });
  }
  return data.session?.access_token ?? null;
}
