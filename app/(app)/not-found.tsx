import { Button } from '@mantine/core';
import { MessagePage } from '@/components/feedback/message-page';
import { mainNav } from '@/components/shell/main-nav';
import { MessageFrame } from '@/components/shell/message-frame';
import { pageCaller } from '@/lib/auth/page-caller';

export const metadata = { title: 'Not found' };

export default async function NotFound() {
  const caller = await pageCaller();
  return (
    <MessageFrame nav={caller ? mainNav(caller) : []}>
      <MessagePage title="Page not found" text="The link may be wrong, or the page was deleted.">
        <Button component="a" href="/">
          Go home
        </Button>
      </MessagePage>
    </MessageFrame>
  );
}
