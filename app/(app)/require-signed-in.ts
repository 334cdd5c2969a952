import { redirect } from 'next/navigation';
import { type PageCaller, pageCaller } from '@/lib/auth/page-caller';

/** Returns the signed-in user of this page. Redirects signed-out users to sign in and then back to `path`. */
export async function requireSignedIn(path: string): Promise<PageCaller> {
  return (await pageCaller()) ?? redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}
