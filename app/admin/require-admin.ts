import { forbidden } from 'next/navigation';
import type { PageCaller } from '@/lib/auth/page-caller';
import { requireSignedIn } from '../require-signed-in';

/**
 * The administrator who is viewing this page. Redirects signed-out users to sign in and back to `path`; responds with 403
 * without the admin role.
 */
export async function requireAdmin(path: string): Promise<PageCaller> {
  const caller = await requireSignedIn(path);
  if (!caller.isAdmin) forbidden();
  return caller;
}
