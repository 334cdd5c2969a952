'use client';

import { BrokenPage } from '@/components/feedback/broken-page';

/** Under the header of the projects. */
export default function ProjectsErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return <BrokenPage error={error} retry={retry} />;
}
