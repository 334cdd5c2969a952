import { Button } from '@mantine/core';
import { MessagePage } from '@/components/feedback/message-page';
import { MessageFrame } from '@/components/shell/message-frame';

export const metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <MessageFrame>
      <MessagePage title="Page not found" text="The link may be wrong, or the page was deleted.">
        <Button component="a" href="/">
          Go home
        </Button>
      </MessagePage>
    </MessageFrame>
  );
}
