import { createBrowserClient } from '@supabase/ssr';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { PublicConfig } from '@/lib/env/public';
import type { Database } from './database.types';

let client: SupabaseClient<Database> | undefined;

/** Makes the client reconnect within two seconds. The default delay grows to ten seconds. */
export const realtimeOptions = {
  // The random part spreads out the reconnections of clients after the service restarts.
  reconnectAfterMs: (tries: number) => Math.min(500 * tries, 1_500) + Math.random() * 500,
};

/** Returns the shared client for signing in and out and for live updates. No other data goes through this client. */
export function browserClient(config: PublicConfig): SupabaseClient<Database> {
  client ??= createBrowserClient<Database>(config.supabaseUrl, config.publishableKey, {
    cookieOptions: { secure: location.protocol === 'https:' },
    realtime: realtimeOptions,
  });
  return client;
}
