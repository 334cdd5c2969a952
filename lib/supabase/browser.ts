import { createBrowserClient } from '@supabase/ssr';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { PublicConfig } from '@/lib/env/public';
import type { Database } from './database.types';

let client: SupabaseClient<Database> | undefined;

/** Reconnects within seconds; the client's own delays grow to ten seconds. */
export const realtimeOptions = {
  // The random part keeps clients from reconnecting to a restarted service all at once.
  reconnectAfterMs: (tries: number) => Math.min(500 * tries, 1_500) + Math.random() * 500,
};

/** The browser's only client, for signing in and out and live updates. Data goes through our own routes. */
export function browserClient(config: PublicConfig): SupabaseClient<Database> {
  client ??= createBrowserClient<Database>(config.supabaseUrl, config.publishableKey, {
    cookieOptions: { secure: location.protocol === 'https:' },
    realtime: realtimeOptions,
  });
  return client;
}
