'use client';

import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { describeError, isSignedOut } from './describe-error';

/** What went wrong, with "Try again", or the way to sign in when the session has ended. */
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
          onRetry && (
            <Button size="xs" variant="default" onClick={onRetry}>
              Try again
            </Button>
          )
        )}
      </Group>
    </Alert>
  );
}
