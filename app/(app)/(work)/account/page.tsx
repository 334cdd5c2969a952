import { AccountPanel } from '@/components/account/account-panel';
import { ownAccount } from '@/lib/people/queries';
import { requireSignedIn } from '../../require-signed-in';

export const metadata = { title: 'Account' };

/** Shows the account of the signed-in user, with forms to change the name, picture and password. */
export default async function AccountPage() {
  return <AccountPanel account={await ownAccount(await requireSignedIn('/account'))} />;
}
