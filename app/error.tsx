'use client';

import { BrokenPage } from '@/components/feedback/broken-page';
import { ShellFrame } from '@/components/shell/shell-frame';
import { Wordmark } from '@/components/shell/wordmark';

/** Has no menus in its header, because every page loads the code of this page. */
export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <ShellFrame bar={<Wordmark />}>
      <BrokenPage error={error} retry={retry} />
    </ShellFrame>
  );
}
