'use client';

import { BrokenPage } from '@/components/feedback/broken-page';

/** Under the header of the materials. */
export default function MaterialsErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return <BrokenPage error={error} retry={retry} />;
}
