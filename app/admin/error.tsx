'use client';

import { BrokenPage } from '@/components/feedback/broken-page';

/** Keeps the header of the admin area, so that uploads continue. */
export default function AdminErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return <BrokenPage error={error} retry={retry} />;
}
