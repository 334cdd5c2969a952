import { createBrowserClient } from '@supabase/ssr';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { PublicConfig } from '@/lib/env/public';
import type { Database } from './database.types';

let client: SupabaseClient<Database> | undefined;

/** A page that was cut off is live again within seconds of coming back: the client's own steps go up to ten of them. */
export const realtimeOptions = {
  // A little by chance, so that not all come back to a restarted service at one moment.
  reconnectAfterMs: (tries: number) => Math.min(500 * tries, 1_500) + Math.random() * 500,
};

/** The browser's one client: signing in and out, and live updates. Data is read and written through our own routes. */
export function browserClient(config: PublicConfig): SupabaseClient<Database> {
  client ??= createBrowserClient<Database>(config.supabaseUrl, config.publishableKey, {
    cookieOptions: { secure: location.protocol === 'https:' },
    realtime: realtimeOptions,
  });
  return client;
}
