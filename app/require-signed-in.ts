import { redirect } from 'next/navigation';
import { type PageCaller, pageCaller } from '@/lib/auth/page-caller';

/** The signed-in user of this page. Redirects signed-out users to sign in and back to `path`. */
export async function requireSignedIn(path: string): Promise<PageCaller> {
  return (await pageCaller()) ?? redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}
