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

/** A database client with the rights of one user, under row level security. */
export type Db = SupabaseClient<Database>;

const clientFetch = fetchWithTimeout(10_000);
/**
 * The timeout of one attempt to refresh a session, in milliseconds. It is short, because supabase-js retries a failed
 * refresh while the user waits for a page.
 */
const REFRESH_MS = 3_000;

/**
 * Returns a database client with the rights of the user whose session has this access token, a JWT. `through` wraps its
 * `fetch` to read JSON as bytes. Use a client with `through` for one call only.
 */
export function userDb(accessToken: string, through: FetchThrough = (same) => same): Db {
  const env = serverEnv();
  return createClient<Database>(env.NEXT_PUBLIC_SUPABASE_URL, env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY, {
    accessToken: async () => accessToken,
    global: { fetch: through(clientFetch) },
  });
}

/** The header from which the database reads the key of an Atelier access token (`private.token_key`). */
const TOKEN_HEADER = 'x-atelier-token';

/**
 * Returns a client like that of `userDb`, but with the rights of the account that the Atelier access token with this
 * key belongs to. Requests with such a token have no JWT, because signing one would require the signing key of the
 * Supabase project, which a hosted project does not reveal. Instead, the database checks the key in each statement and
 * returns no rows without a valid key.
 */
export function tokenDb(key: string, through: FetchThrough = (same) => same): Db {
  const env = serverEnv();
  return createClient<Database>(env.NEXT_PUBLIC_SUPABASE_URL, env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY, {
    accessToken: async () => null,
    global: { fetch: through(clientFetch), headers: { [TOKEN_HEADER]: key } },
  });
}

/**
 * Returns the session's access token from the request's cookies, or null if there is no session. Refreshes an expired
 * token, but does not verify the token. Throws `unavailable` if the sign-in service is unavailable.
 */
export async function cookieAccessToken(): Promise<string | null> {
  const env = serverEnv();
  const jar = await cookies();
  if (!jar.getAll().some((cookie) => cookie.name.startsWith('sb-'))) return null;
  const requestHeaders = await headers();
  const client = createServerClient(env.NEXT_PUBLIC_SUPABASE_URL, env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY, {
    global: { fetch: refreshFetch(requestHeaders, REFRESH_MS) },
    cookieOptions: { secure: isHttps(requestHeaders.get('x-forwarded-proto')) },
    cookies: {
      getAll: () => jar.getAll(),
      setAll: (all) => {
        try {
          for (const { name, value, options } of all) jar.set(name, value, options);
        } catch {
          // Ignore the error. A server component cannot set cookies, but `proxy.ts` has already refreshed the session.
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
