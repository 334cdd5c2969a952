'use client';

import { BrokenPage } from '@/components/feedback/broken-page';

/** Shown in place of a page after an error. The admin area's header stays, and uploads continue. */
export default function AdminErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return <BrokenPage error={error} retry={retry} />;
}
