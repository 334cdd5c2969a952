import { forbidden } from 'next/navigation';
import type { PageCaller } from '@/lib/auth/page-caller';
import { requireSignedIn } from '../require-signed-in';

/**
 * The administrator who looks at this page. Whoever is signed out goes to sign in and comes back to `path`;
 * whoever has no admin role is told so, with status 403.
 */
export async function requireAdmin(path: string): Promise<PageCaller> {
  const caller = await requireSignedIn(path);
  if (!caller.isAdmin) forbidden();
  return caller;
}
