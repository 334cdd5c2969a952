import { redirect } from 'next/navigation';
import { requireSignedIn } from './require-signed-in';

/** Redirects users to their main page. */
export default async function StartPage() {
  const caller = await requireSignedIn('/');
  redirect(caller.isAdmin ? '/admin/specs' : '/projects');
}
