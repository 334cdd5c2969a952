import { LinkButton } from '@/components/feedback/link-button';
import { MessagePage } from '@/components/feedback/message-page';
import { SiteShell } from '@/components/shell/site-shell';
import { pageCaller } from '@/lib/auth/page-caller';

export const metadata = { title: 'Administrators only' };

/** For signed-in users without the admin role. */
export default async function Forbidden() {
  const caller = await pageCaller();
  return (
    <SiteShell account={caller && { email: caller.email, isAdmin: caller.isAdmin }}>
      <MessagePage
        title="This part is for administrators"
        text={`You are signed in${caller ? ` as ${caller.email}` : ''}, but this account does not have the admin role. After an administrator has given it to you, sign out and sign in again.`}
      >
        <LinkButton href="/">Go home</LinkButton>
      </MessagePage>
    </SiteShell>
  );
}
