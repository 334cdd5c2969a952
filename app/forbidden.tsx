import { LinkButton } from '@/components/feedback/link-button';
import { MessagePage } from '@/components/feedback/message-page';
import { ShellFrame } from '@/components/shell/shell-frame';
import { Wordmark } from '@/components/shell/wordmark';
import { pageCaller } from '@/lib/auth/page-caller';

export const metadata = { title: 'Administrators only' };

/**
 * Shown to signed-in users without the admin role. Its header has no menus, because every page loads this page's code.
 */
export default async function Forbidden() {
  const caller = await pageCaller();
  return (
    <ShellFrame bar={<Wordmark />}>
      <MessagePage
        title="Administrators only"
        text={`${caller ? `You are signed in as ${caller.email}. ` : ''}Ask an administrator for access, then sign out and sign in again.`}
      >
        <LinkButton href="/">Go home</LinkButton>
      </MessagePage>
    </ShellFrame>
  );
}
