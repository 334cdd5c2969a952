import type { PublicConfig } from '@/lib/env/public';

/**
 * Returns the client from `browserClient`. The first call loads the client's large library, which no page needs for its
 * first render. Rejects if the library cannot be loaded.
 */
export async function loadBrowserClient(config: PublicConfig) {
  const { browserClient } = await import('@/lib/supabase/browser');
  return browserClient(config);
}
