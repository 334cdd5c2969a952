import { createBrowserClient } from '@supabase/ssr';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { PublicConfig } from '@/lib/env/public';
import type { Database } from './database.types';

let client: SupabaseClient<Database> | undefined;

/** The browser's one client: signing in and out, and live updates. Data is read and written through our own routes. */
export function browserClient(config: PublicConfig): SupabaseClient<Database> {
  client ??= createBrowserClient<Database>(config.supabaseUrl, config.publishableKey);
  return client;
}
