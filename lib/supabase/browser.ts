import { createBrowserClient } from '@supabase/ssr';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { PublicConfig } from '@/lib/env/public';
import type { Database } from './database.types';

let client: SupabaseClient<Database> | undefined;

/** Makes the client reconnect within seconds. Its default delays grow to ten seconds. */
export const realtimeOptions = {
  // The random part keeps clients from all reconnecting to a restarted service at once.
  reconnectAfterMs: (tries: number) => Math.min(500 * tries, 1_500) + Math.random() * 500,
};

/** Returns the browser's only client, for signing in and out and for live updates. Data goes through our own routes. */
export function browserClient(config: PublicConfig): SupabaseClient<Database> {
  client ??= createBrowserClient<Database>(config.supabaseUrl, config.publishableKey, {
    cookieOptions: { secure: location.protocol === 'https:' },
    realtime: realtimeOptions,
  });
  return client;
}
