'use client';

import { Button } from '@mantine/core';
import { SharePage } from '@/components/share-page/share-page';

/** Shown in place of a shared page after an error. Offers no link into the app, because visitors have no account. */
export default function ShareErrorPage({ retry }: { retry: () => void }) {
  return (
    <SharePage title="Something went wrong">
      <p>The page could not be loaded.</p>
      <Button onClick={retry}>Try again</Button>
    </SharePage>
  );
}
