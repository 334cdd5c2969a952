import { redirect } from 'next/navigation';
import { requireSignedIn } from './require-signed-in';

/** Sends each person to what they do most here. */
export default async function StartPage() {
  const caller = await requireSignedIn('/');
  redirect(caller.isAdmin ? '/admin/specs' : '/projects');
}
