import { redirect } from 'next/navigation';
import { requireSignedIn } from './require-signed-in';

/** Redirects administrators to the specs and other users to their projects. */
export default async function StartPage() {
  const caller = await requireSignedIn('/');
  redirect(caller.isAdmin ? '/admin/specs' : '/projects');
}
