import { Button } from '@mantine/core';
import { MessagePage } from '@/components/feedback/message-page';
import { mainNav } from '@/components/shell/main-nav';
import { MessageFrame } from '@/components/shell/message-frame';
import { pageCaller } from '@/lib/auth/page-caller';

export const metadata = { title: 'Administrators only' };

/** Shown to signed-in users without the admin role. */
export default async function Forbidden() {
  const caller = await pageCaller();
  return (
    <MessageFrame nav={caller ? mainNav(caller) : []}>
      <MessagePage
        title="Administrators only"
        text={`${caller ? `You are signed in as ${caller.email}. ` : ''}Ask an administrator for access, then sign out and sign in again.`}
      >
        <Button component="a" href="/">
          Go home
        </Button>
      </MessagePage>
    </MessageFrame>
  );
}
