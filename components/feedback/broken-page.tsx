'use client';

import { PlainButton } from '@/components/shell/plain-button';
import classes from './broken-page.module.css';
import { MessagePage } from './message-page';

function reference(error: unknown): string | null {
  const digest = error instanceof Error && 'digest' in error ? error.digest : null;
  return typeof digest === 'string' ? digest : null;
}

/** The page that error boundaries show after rendering fails. */
export function BrokenPage({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = reference(error);
  return (
    <MessagePage
      title="Something went wrong"
      text={`Please try again. Nothing was lost.${digest ? ` Error reference: ${digest}` : ''}`}
    >
      <div className={classes.actions}>
        <PlainButton onClick={retry}>Try again</PlainButton>
        <PlainButton href="/" isSecondary>
          Go home
        </PlainButton>
      </div>
    </MessagePage>
  );
}
