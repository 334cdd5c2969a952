'use client';

import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '@/components/form/form-dialog';
import { FormFailure } from '@/components/form/form-failure';
import { useRequest } from '@/components/form/use-request';
import { readServiceTokens, revokeToken } from '@/components/tokens/token-calls';
import { TokenList } from '@/components/tokens/token-list';
import type { Person } from '@/lib/people/schema';
import type { AccessToken } from '@/lib/tokens/schema';

/** A person, and the valid service tokens that this person created. */
export type ServiceTokens = { person: Person; tokens: AccessToken[] };

type ServiceTokensDialogProps = {
  /** Null while the dialog is closed. */
  shown: ServiceTokens | null;
  onClose: () => void;
  /** Called when no valid token is left. */
  onDone: () => void;
};

function RevokeTokens({ person, tokens: found, onDone }: ServiceTokens & { onDone: () => void }) {
  const [tokens, setTokens] = useState(found);
  const { busy, failure, run } = useRequest();

  const reload = async () => {
    const left = await readServiceTokens(person.id);
    setTokens(left);
    if (left.length === 0) onDone();
  };
  const revokeAll = () =>
    run(async () => {
      try {
        for (const token of tokens) await revokeToken('all', token);
      } finally {
        await reload();
      }
    });

  return (
    <Stack gap="md">
      <Text size="sm">
        <strong>{person.name ?? person.email}</strong> created them for services of the studio, so they stay
        valid without the account. Revoke them if this person may still know them. Whatever uses a revoked
        token loses access at once.
      </Text>
      <div>
        <Button color="red" onClick={() => void revokeAll()} loading={busy}>
          {tokens.length === 1 ? 'Revoke it' : `Revoke all ${tokens.length}`}
        </Button>
      </div>
      <FormFailure text={failure} />
      <TokenList
        list={{ items: tokens, hasMore: false, loading: false, error: null, reload, loadMore: reload }}
        scope="all"
        withOwner={false}
      />
    </Stack>
  );
}

/** Shows the valid service tokens that a disabled person created, and revokes all of them or single ones. */
export function ServiceTokensDialog({ shown, onClose, onDone }: ServiceTokensDialogProps) {
  return (
    <FormDialog
      opened={shown !== null}
      onClose={onClose}
      size="lg"
      title="Service tokens that are still valid"
    >
      {shown && <RevokeTokens {...shown} onDone={onDone} />}
    </FormDialog>
  );
}
