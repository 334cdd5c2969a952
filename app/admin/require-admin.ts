import { forbidden, redirect } from 'next/navigation';
import { type PageCaller, pageCaller } from '@/lib/auth/page-caller';

/**
 * The administrator who looks at this page. Whoever is signed out goes to sign in and comes back to `path`;
 * whoever has no admin role is told so, with status 403.
 */
export async function requireAdmin(path: string): Promise<PageCaller> {
  const caller = await pageCaller();
  if (!caller) redirect(`/sign-in?next=${encodeURIComponent(path)}`);
  if (!caller.isAdmin) forbidden();
  return caller;
}
