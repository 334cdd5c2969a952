import { LinkButton } from '@/components/feedback/link-button';
import { MessagePage } from '@/components/feedback/message-page';
import { SiteShell } from '@/components/shell/site-shell';

export const metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <SiteShell account={null}>
      <MessagePage title="This page does not exist" text="The URL may be mistyped, or the page was deleted.">
        <LinkButton href="/">Go home</LinkButton>
      </MessagePage>
    </SiteShell>
  );
}
