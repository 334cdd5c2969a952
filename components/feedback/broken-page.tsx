'use client';

import { Button, Group } from '@mantine/core';
import { MessagePage } from './message-page';

function reference(error: unknown): string | null {
  const digest = error instanceof Error && 'digest' in error ? error.digest : null;
  return typeof digest === 'string' ? digest : null;
}

/** What is shown when a page cannot be made. */
export function BrokenPage({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = reference(error);
  return (
    <MessagePage
      title="This page could not be made"
      text={`Something we need may be away for a moment. Nothing was lost.${digest ? ` The log knows this as ${digest}.` : ''}`}
    >
      <Group>
        <Button onClick={retry}>Try again</Button>
        <Button variant="default" component="a" href="/">
          Go to the start page
        </Button>
      </Group>
    </MessagePage>
  );
}
