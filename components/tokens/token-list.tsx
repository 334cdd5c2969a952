'use client';

import { Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { describeError } from '@/components/feedback/describe-error';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import type { AccessTokens } from '@/hooks/use-access-tokens';
import { useOnline } from '@/hooks/use-online';
import { ApiError } from '@/lib/http/client';
import type { AccessToken } from '@/lib/tokens/schema';
import { revokeToken, type TokenScope } from './token-calls';
import classes from './token-list.module.css';
import { TokenRow } from './token-row';

const skeletons = ['a', 'b', 'c'];

/** A list of access tokens, with its empty, loading, offline and error states. */
export function TokenList({ list, scope }: { list: AccessTokens; scope: TokenScope }) {
  const { tokens, error } = list;
  const online = useOnline();
  const [busy, setBusy] = useState<string | null>(null);
  const [said, setSaid] = useState<string>();

  const revoke = async (token: AccessToken) => {
    setBusy(token.id);
    try {
      await revokeToken(scope, token).catch((error: unknown) => {
        // Someone else has revoked it.
        if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
      });
      setSaid(`${token.name} was revoked.`);
      await list.reload();
    } catch (error) {
      notifications.show({ title: "Couldn't revoke", message: describeError(error), color: 'red' });
    } finally {
      setBusy(null);
    }
  };

  const askToRevoke = (token: AccessToken) =>
    modals.openConfirmModal({
      title: 'Revoke this token?',
      children: (
        <Text size="sm">
          Whatever uses <strong>{token.name}</strong> loses access at once. This cannot be undone.
        </Text>
      ),
      labels: { confirm: 'Revoke', cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      cancelProps: { 'data-autofocus': true },
      closeButtonProps: { 'aria-label': 'Close' },
      onConfirm: () => void revoke(token),
    });

  return (
    <Stack gap="md">
      {!online && <OfflineBanner />}
      {online && error !== null && (
        <ErrorAlert title="The list could not be loaded" error={error} onRetry={() => void list.reload()} />
      )}
      {tokens === null && error === null && (
        <Stack gap="xs" role="status" aria-label="Loading">
          {skeletons.map((row) => (
            <Skeleton key={row} height={64} />
          ))}
        </Stack>
      )}
      {tokens?.length === 0 && (
        <Text c="dimmed" py="md">
          No access tokens yet.
        </Text>
      )}
      {tokens !== null && tokens.length > 0 && (
        <Paper withBorder>
          <ul className={classes.list} aria-label="Access tokens">
            {tokens.map((token) => (
              <TokenRow
                key={token.id}
                token={token}
                withOwner={scope === 'all'}
                busy={busy === token.id}
                onRevoke={() => askToRevoke(token)}
              />
            ))}
          </ul>
        </Paper>
      )}
      {list.hasMore && (
        <Group justify="center">
          <Button variant="default" loading={list.loading} onClick={() => void list.loadMore()}>
            Show more
          </Button>
        </Group>
      )}
      <Announcer text={said} />
    </Stack>
  );
}
