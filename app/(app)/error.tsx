'use client';

import { BrokenPage } from '@/components/feedback/broken-page';
import { MessageFrame } from '@/components/shell/message-frame';

export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <MessageFrame>
      <BrokenPage error={error} retry={retry} />
    </MessageFrame>
  );
}
