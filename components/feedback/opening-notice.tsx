'use client';

import { CloseButton, Loader, Paper, Portal } from '@mantine/core';
import { UserFacingError } from './describe-error';
import { ErrorAlert } from './error-alert';
import classes from './opening-notice.module.css';

const failure = new UserFacingError('Check your connection and try again. If that fails, reload the page.');

type OpeningNoticeProps = { hasFailed: boolean; onRetry: () => void; onClose: () => void };

/** Shows, after a short delay, that a dialog is loading. If the dialog could not be loaded, shows an error instead. */
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

/** A ref callback that focuses an element on mount and returns the focus to the previous element on unmount. */
function borrowFocus(panel: HTMLElement | null) {
  const opener = document.activeElement;
  panel?.focus();
  return () => {
    if (opener instanceof HTMLElement) opener.focus();
  };
}

function Failure({ onRetry, onClose }: Omit<OpeningNoticeProps, 'hasFailed'>) {
  return (
    <Paper
      ref={borrowFocus}
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
