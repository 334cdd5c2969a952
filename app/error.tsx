'use client';

import { BrokenPage } from '@/components/feedback/broken-page';
import { ShellFrame } from '@/components/shell/shell-frame';
import { Wordmark } from '@/components/shell/wordmark';

/** Shows an error. Its header has no menus, because every page loads this page's code. */
export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <ShellFrame bar={<Wordmark />}>
      <BrokenPage error={error} retry={retry} />
    </ShellFrame>
  );
}
