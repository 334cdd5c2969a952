'use client';

import { BrokenPage } from '@/components/feedback/broken-page';
import { SiteShell } from '@/components/shell/site-shell';

export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <SiteShell account={null}>
      <BrokenPage error={error} retry={retry} />
    </SiteShell>
  );
}
