import { LinkButton } from '@/components/feedback/link-button';
import { MessagePage } from '@/components/feedback/message-page';
import { ShellFrame } from '@/components/shell/shell-frame';
import { Wordmark } from '@/components/shell/wordmark';

export const metadata = { title: 'Not found' };

/** Shown for an unknown path. Its header has no menus, because every page loads this page's code. */
export default function NotFound() {
  return (
    <ShellFrame bar={<Wordmark />}>
      <MessagePage title="Page not found" text="The link may be wrong, or the page was deleted.">
        <LinkButton href="/">Go home</LinkButton>
      </MessagePage>
    </ShellFrame>
  );
}
