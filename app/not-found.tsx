import { LinkButton } from '@/components/feedback/link-button';
import { MessagePage } from '@/components/feedback/message-page';
import { mainNav } from '@/components/shell/main-nav';
import { SiteShell } from '@/components/shell/site-shell';
import { pageCaller } from '@/lib/auth/page-caller';
import { shellAccount } from './shell-account';

export const metadata = { title: 'Not found' };

export default async function NotFound() {
  const caller = await pageCaller();
  return (
    <SiteShell account={await shellAccount(caller)} nav={caller ? mainNav(caller) : []}>
      <MessagePage title="Page not found" text="The link may be wrong, or the page was deleted.">
        <LinkButton href="/">Go home</LinkButton>
      </MessagePage>
    </SiteShell>
  );
}
