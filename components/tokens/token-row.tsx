'use client';

import { Badge, Button, Group, Text } from '@mantine/core';
import { RelativeTime, useNow } from '@/components/format/relative-time';
import type { AccessToken } from '@/lib/tokens/schema';
import { roleLabel } from './token-labels';
import classes from './token-list.module.css';

type TokenRowProps = { token: AccessToken; withOwner: boolean; busy: boolean; onRevoke: () => void };

/** Shows one access token with its role, expiry and last use, and a button that revokes it. */
export function TokenRow({ token, withOwner, busy, onRevoke }: TokenRowProps) {
  const now = useNow();
  const isExpired = now !== null && Date.parse(token.expiresAt) <= now;
  const isService = token.kind === 'service';
  return (
    <li className={classes.token}>
      <div>
        <Group gap="xs">
          <span className={classes.name}>{token.name}</span>
          <Badge variant="default" tt="none" fw={500}>
            {roleLabel(token.role)}
          </Badge>
          {isService && (
            <Badge variant="default" tt="none" fw={500}>
              Service
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed" component="div" mt={4} className={classes.facts}>
          {withOwner && !isService && <span>{token.owner ?? 'Account without an email address'}</span>}
          {withOwner && isService && (
            <span>
              {token.createdBy
                ? `Created by ${token.createdBy}`
                : 'Creator deleted or without an email address'}
            </span>
          )}
          <span>
            Ends in <code>{token.hint}</code>
          </span>
          <span>
            {isExpired ? 'Expired' : 'Expires'} <RelativeTime iso={token.expiresAt} />
          </span>
          <span>
            {token.lastUsedAt ? (
              <>
                Last used <RelativeTime iso={token.lastUsedAt} />
              </>
            ) : (
              'Never used'
            )}
          </span>
        </Text>
      </div>
      <Button
        variant="default"
        size="sm"
        loading={busy}
        onClick={onRevoke}
        aria-label={`Revoke ${token.name}`}
      >
        Revoke
      </Button>
    </li>
  );
}
