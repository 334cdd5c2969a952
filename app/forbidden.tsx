import { LinkButton } from '@/components/feedback/link-button';
import { MessagePage } from '@/components/feedback/message-page';
import { mainNav } from '@/components/shell/main-nav';
import { SiteShell } from '@/components/shell/site-shell';
import { pageCaller } from '@/lib/auth/page-caller';
import { shellAccount } from './shell-account';

export const metadata = { title: 'Administrators only' };

/** Shown to signed-in users without the admin role. */
export default async function Forbidden() {
  const caller = await pageCaller();
  return (
    <SiteShell account={await shellAccount(caller)} nav={caller ? mainNav(caller) : []}>
      <MessagePage
        title="Administrators only"
        text={`${caller ? `You are signed in as ${caller.email}. ` : ''}Ask an administrator for access, then sign out and sign in again.`}
      >
        <LinkButton href="/">Go home</LinkButton>
      </MessagePage>
    </SiteShell>
  );
}
