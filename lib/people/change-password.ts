import { createClient } from '@supabase/supabase-js';
import { forgetAccount } from '@/lib/auth/account';
import type { Caller } from '@/lib/auth/caller';
import { serverEnv } from '@/lib/env/server';
import { HttpError } from '@/lib/errors/problem';
import { limitRare } from '@/lib/rate-limit/limit';
import { isAuthUnavailable } from '@/lib/supabase/auth-unavailable';
import { fetchWithTimeout } from '@/lib/supabase/fetch-with-timeout';
import { authUnavailable, setPassword } from './auth-service';

/** Checks the current password by signing in with it. Then ends the session that the sign-in created. */
async function requirePassword({ email, userId }: Caller, password: string): Promise<void> {
  // Limits guesses by someone at an unlocked computer.
  await limitRare(`password:${userId}`, 20, 30_000);
  const env = serverEnv();
  const { auth } = createClient(env.NEXT_PUBLIC_SUPABASE_URL, env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: fetchWithTimeout(10_000) },
  });
  const { data, error } = await auth.signInWithPassword({ email, password });
  if (error?.status === 429) {
    throw new HttpError('rate_limited', 'Too many attempts. Try again in a minute.', { retryAfter: 60 });
  }
  if (error && isAuthUnavailable(error)) throw authUnavailable(error);
  if (error || data.user.id !== userId) throw new HttpError('wrong_password');
  await auth.signOut({ scope: 'local' });
}

/**
 * Changes the caller's password, and signs out all of the caller's sessions. Throws `rate_limited`, `unavailable`,
 * `wrong_password` if the current password is wrong, or `invalid_request` if the new password is too weak.
 */
export async function changePassword(caller: Caller, current: string, next: string): Promise<void> {
  await requirePassword(caller, current);
  await setPassword(caller.userId, next, 'newPassword');
  forgetAccount(caller.userId);
}
