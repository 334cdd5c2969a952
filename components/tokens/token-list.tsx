'use client';

import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { askToConfirm } from '@/components/feedback/ask-to-confirm';
import { describeError } from '@/components/feedback/describe-error';
import { ListFrame } from '@/components/feedback/list-frame';
import { useKeptFocus } from '@/hooks/use-kept-focus';
import type { Pages } from '@/hooks/use-pages';
import type { AccessToken } from '@/lib/tokens/schema';
import { revokeToken, type TokenScope } from './token-calls';
import classes from './token-list.module.css';
import { TokenRow } from './token-row';

type TokenListProps = { list: Pages<AccessToken>; scope: TokenScope; withOwner: boolean };

/** Shows a list of access tokens, with its empty, loading and error states. */
export function TokenList({ list, scope, withOwner }: TokenListProps) {
  const [busy, setBusy] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState<string>();
  const keptFocus = useKeptFocus<HTMLElement>();

  const revoke = async (token: AccessToken) => {
    setBusy(token.id);
    setAnnouncement(undefined);
    try {
      await revokeToken(scope, token);
      setAnnouncement(`${token.name} was revoked.`);
      await list.reload();
    } catch (error) {
      notifications.show({ title: "Couldn't revoke", message: describeError(error), color: 'red' });
    } finally {
      setBusy(null);
    }
  };

  const askToRevoke = (token: AccessToken) =>
    askToConfirm({
      title: 'Revoke this token?',
      text: (
        <>
          Whatever uses <strong>{token.name}</strong> loses access at once. This cannot be undone.
        </>
      ),
      action: 'Revoke',
      onConfirm: () => void revoke(token),
    });

  return (
    <section className={classes.section} aria-label="Access tokens" tabIndex={-1} {...keptFocus}>
      <ListFrame list={list} items={list.items} label="Access tokens" empty="No access tokens yet.">
        {(token) => (
          <TokenRow
            key={token.id}
            token={token}
            withOwner={withOwner}
            busy={busy === token.id}
            onRevoke={() => askToRevoke(token)}
          />
        )}
      </ListFrame>
      <Announcer text={announcement} />
    </section>
  );
}
