import type { PublicConfig } from '@/lib/env/public';

/**
 * Returns `browserClient`, whose large library is loaded with the first call: no page needs it to be shown. Rejects if
 * the library cannot be loaded.
 */
export async function loadBrowserClient(config: PublicConfig) {
  const { browserClient } = await import('@/lib/supabase/browser');
  return browserClient(config);
}
