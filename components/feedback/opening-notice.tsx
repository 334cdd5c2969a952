'use client';

import { CloseButton, Loader, Paper, Portal } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { UserFacingError } from './describe-error';
import { ErrorAlert } from './error-alert';
import classes from './opening-notice.module.css';

const failure = new UserFacingError('Check your connection and try again. If that fails, reload the page.');

type OpeningNoticeProps = { hasFailed: boolean; onRetry: () => void; onClose: () => void };

/** Shows that a dialog is loading, after a moment, or that it could not be loaded. */
export function OpeningNotice({ hasFailed, onRetry, onClose }: OpeningNoticeProps) {
  return (
    <Portal>
      {hasFailed ? (
        <Failure onRetry={onRetry} onClose={onClose} />
      ) : (
        <Paper className={classes.notice} data-quiet withBorder shadow="md" p="md">
          <Loader size="sm" role="status" aria-label="Loading" display="block" />
        </Paper>
      )}
    </Portal>
  );
}

function Failure({ onRetry, onClose }: Omit<OpeningNoticeProps, 'hasFailed'>) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    panel.current?.focus();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <Paper
      ref={panel}
      tabIndex={-1}
      className={classes.notice}
      shadow="md"
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <ErrorAlert title="This could not be opened" error={failure} onRetry={onRetry} />
      <CloseButton className={classes.close} aria-label="Close" onClick={onClose} />
    </Paper>
  );
}
