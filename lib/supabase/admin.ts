import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { serverEnv } from '@/lib/env/server';
import type { Database } from './database.types';
import { fetchWithTimeout } from './fetch-with-timeout';
import type { FetchThrough } from './json-bytes';

/** The privileged database: it passes row level security. Named so that nobody takes it for the caller's own. */
export type AdminDb = SupabaseClient<Database> & { readonly privileged?: true };

const QUERY_TIMEOUT_MS = 10_000;
/** A 50 MB file, or a document of 16 MB, over a slow line to a hosted Supabase. */
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

/** The service side's client for queries and functions. */
export function adminDb(): AdminDb {
  queries ??= serviceClient(QUERY_TIMEOUT_MS);
  return queries;
}

/**
 * The service side's client for moving whole files and documents; with `stop`, one whose transfers that ends; with
 * `through`, one for a single call whose JSON is sent or read as bytes.
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
