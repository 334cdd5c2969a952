import { redirect } from 'next/navigation';
import { type PageCaller, pageCaller } from '@/lib/auth/page-caller';

/** Whoever looks at this page. Who is signed out goes to sign in and comes back to `path`. */
export async function requireSignedIn(path: string): Promise<PageCaller> {
  return (await pageCaller()) ?? redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}
