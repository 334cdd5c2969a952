import { forbidden } from 'next/navigation';
import type { PageCaller } from '@/lib/auth/page-caller';
import { requireSignedIn } from '../require-signed-in';

/**
 * Returns the administrator who is viewing this page. Redirects signed-out users to the sign-in page, which leads back
 * to `path`. Responds with 403 to a user without the admin role.
 */
export async function requireAdmin(path: string): Promise<PageCaller> {
  const caller = await requireSignedIn(path);
  if (!caller.isAdmin) forbidden();
  return caller;
}
