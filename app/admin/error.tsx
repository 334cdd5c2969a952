'use client';

import { BrokenPage } from '@/components/feedback/broken-page';

/** Under the header of the admin area, whose uploads go on. */
export default function AdminErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return <BrokenPage error={error} retry={retry} />;
}
