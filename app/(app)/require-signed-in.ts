import { redirect } from 'next/navigation';
import { type PageCaller, pageCaller } from '@/lib/auth/page-caller';

/**
 * Returns the signed-in user who is viewing this page. Redirects signed-out users to the sign-in page, which leads back
 * to `path`.
 */
export async function requireSignedIn(path: string): Promise<PageCaller> {
  return (await pageCaller()) ?? redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}
