'use client';

import { BrokenPage } from '@/components/feedback/broken-page';

export default function ProjectsErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return <BrokenPage error={error} retry={retry} />;
}
