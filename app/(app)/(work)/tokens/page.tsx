import { TokensPanel } from '@/components/tokens/tokens-panel';
import { listTokens } from '@/lib/tokens/queries';
import { requireSignedIn } from '../../require-signed-in';

export const metadata = { title: 'Access tokens' };

/** Lists the signed-in user's access tokens. Administrators can switch to all users' tokens. */
export default async function TokensPage() {
  const { userId, isAdmin } = await requireSignedIn('/tokens');
  return <TokensPanel isAdmin={isAdmin} initial={await listTokens(userId, { limit: 50 })} />;
}
