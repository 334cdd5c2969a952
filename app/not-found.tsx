import { LinkButton } from '@/components/feedback/link-button';
import { MessagePage } from '@/components/feedback/message-page';
import { SiteShell } from '@/components/shell/site-shell';

export const metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <SiteShell account={null}>
      <MessagePage
        title="There is nothing here"
        text="The address is mistyped, or what was here was deleted."
      >
        <LinkButton href="/">Go home</LinkButton>
      </MessagePage>
    </SiteShell>
  );
}
