'use client';

import { BrokenPage } from '@/components/feedback/broken-page';

export default function MaterialsErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return <BrokenPage error={error} retry={retry} />;
}
