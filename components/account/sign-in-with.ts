import { loadBrowserClient } from '@/hooks/load-browser-client';
import type { PublicConfig } from '@/lib/env/public';

/** Signs in with a password that was just set. Returns whether the sign-in succeeded. Never throws. */
export async function signInWith(config: PublicConfig, email: string, password: string): Promise<boolean> {
  const { error } = await loadBrowserClient(config)
    .then(({ auth }) => auth.signInWithPassword({ email, password }))
    .catch((error: unknown) => ({ error }));
  return !error;
}
