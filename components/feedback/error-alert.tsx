'use client';

import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { ApiError } from '@/lib/http/client';
import { describeError, isSignedOut } from './describe-error';

/**
 * Shows a "Try again" button. If the error has `retryAfterS`, the button counts down that many seconds and then retries
 * automatically. A new error restarts the countdown.
 */
function RetryButton({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const waitS = error instanceof ApiError ? (error.retryAfterS ?? 0) : 0;
  const [wait, setWait] = useState({ error, left: waitS });
  if (wait.error !== error) setWait({ error, left: waitS });
  const { left } = wait;
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    if (waitS === 0) return;
    const until = Date.now() + waitS * 1000;
    const timer = setInterval(() => {
      const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
      setWait({ error, left });
      if (left > 0) return;
      clearInterval(timer);
      retry();
    }, 250);
    return () => clearInterval(timer);
  }, [error, waitS]);
  return (
    // Screen readers announce the countdown once with the alert, not every second.
    <Button size="xs" variant="default" aria-live="off" disabled={left > 0} onClick={onRetry}>
      {left > 0 ? `Trying again in ${left.toLocaleString('en')} s` : 'Try again'}
    </Button>
  );
}

/** Shows an error message with "Sign in" if the session has ended, otherwise with "Try again" if `onRetry` is given. */
export function ErrorAlert({
  error,
  title,
  onRetry,
}: {
  error: unknown;
  title: string;
  onRetry?: () => void;
}) {
  const signIn = () => {
    const next = `${window.location.pathname}${window.location.search}`;
    window.location.assign(`/sign-in?next=${encodeURIComponent(next)}`);
  };
  return (
    <Alert role="alert" color="red" variant="outline" icon={<IconAlertTriangle size={20} />} title={title}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{describeError(error)}</Text>
        {isSignedOut(error) ? (
          <Button size="xs" variant="default" onClick={signIn}>
            Sign in
          </Button>
        ) : (
          onRetry && <RetryButton error={error} onRetry={onRetry} />
        )}
      </Group>
    </Alert>
  );
}
