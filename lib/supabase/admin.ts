import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { serverEnv } from '@/lib/env/server';
import type { Database } from './database.types';
import { fetchWithTimeout } from './fetch-with-timeout';
import type { FetchThrough } from './json-bytes';

/** The privileged client, which bypasses row level security. `Db` is the type of clients with a user's rights. */
export type AdminDb = SupabaseClient<Database> & { readonly privileged?: true };

const QUERY_TIMEOUT_MS = 10_000;
/** Long enough for a 50 MB file or a 16 MB document over a slow connection to a hosted Supabase project. */
const TRANSFER_TIMEOUT_MS = 5 * 60_000;

function serviceClient(
  timeoutMs: number,
  stop?: AbortSignal,
  through: FetchThrough = (same) => same,
): AdminDb {
  const env = serverEnv();
  return createClient<Database>(env.NEXT_PUBLIC_SUPABASE_URL, env.SUPABASE_SECRET_KEY, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: through(fetchWithTimeout(timeoutMs, stop)) },
  });
}

let queries: AdminDb | undefined;
let transfers: AdminDb | undefined;

/** Returns the privileged client for everything except large transfers and slow calls. */
export function adminDb(): AdminDb {
  queries ??= serviceClient(QUERY_TIMEOUT_MS);
  return queries;
}

/**
 * Returns a privileged client for transferring large files and documents, and for slow calls. `stop` aborts its
 * transfers. `through` wraps its `fetch` to send or read JSON as bytes. Use a client with `through` for one call only.
 */
export function adminTransfers({
  stop,
  through,
}: {
  stop?: AbortSignal;
  through?: FetchThrough;
} = {}): AdminDb {
  if (stop || through) return serviceClient(TRANSFER_TIMEOUT_MS, stop, through);
  transfers ??= serviceClient(TRANSFER_TIMEOUT_MS);
  return transfers;
}
