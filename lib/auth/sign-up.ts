import { z } from 'zod';
import { fetchWithTimeout } from '@/lib/supabase/fetch-with-timeout';

const CACHE_MS = 5 * 60_000;
const settings = z.object({ disable_signup: z.boolean() });
const cache = new Map<string, { isOpen: boolean; at: number }>();

/** The warning that operators see when sign-up is open. */
export const OPEN_SIGN_UP =
  'Anyone can sign up. Turn off "Allow new users to sign up" in the authentication settings of the Supabase project.';

/**
 * Returns whether the Supabase project at `supabaseUrl` lets anyone create an account, or null if that cannot be
 * determined. Caches a result other than null for five minutes. Never throws.
 */
export async function isSignUpOpen(supabaseUrl: string, publishableKey: string): Promise<boolean | null> {
  const last = cache.get(supabaseUrl);
  if (last && Date.now() - last.at < CACHE_MS) return last.isOpen;
  try {
    const response = await fetchWithTimeout(2_000)(`${supabaseUrl}/auth/v1/settings`, {
      headers: { apikey: publishableKey },
    });
    const isOpen = !settings.parse(await response.json()).disable_signup;
    cache.set(supabaseUrl, { isOpen, at: Date.now() });
    return isOpen;
  } catch {
    return null;
  }
}
