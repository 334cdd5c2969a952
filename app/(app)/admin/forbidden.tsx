import { LinkButton } from '@/components/feedback/link-button';
import { MessagePage } from '@/components/feedback/message-page';
import { pageCaller } from '@/lib/auth/page-caller';

export const metadata = { title: 'Administrators only' };

/** Shown to signed-in users without the admin role. */
export default async function Forbidden() {
  const caller = await pageCaller();
  return (
    <MessagePage
      title="Administrators only"
      text={`${caller ? `You are signed in as ${caller.email}. ` : ''}Ask an administrator for access, then sign out and sign in again.`}
    >
      <LinkButton href="/projects">Your projects</LinkButton>
    </MessagePage>
  );
}
