import type { ShellAccount } from '@/components/shell/account-menu';
import type { PageCaller } from '@/lib/auth/page-caller';
import { profileOf } from '@/lib/people/queries';

/** Returns the account data that the header shows, or null for a visitor. Never throws. */
export async function shellAccount(caller: PageCaller | null): Promise<ShellAccount | null> {
  if (!caller) return null;
  const { email, isAdmin, userId } = caller;
  return { email, isAdmin, ...(await profileOf(userId)) };
}
