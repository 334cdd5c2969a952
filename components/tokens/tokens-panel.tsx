'use client';

import { Anchor, Button, SegmentedControl, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { FormDialog } from '@/components/form/form-dialog';
import { PageHeading } from '@/components/shell/page-heading';
import { useOnline } from '@/hooks/use-online';
import type { CreatedToken, TokensResponse } from '@/lib/tokens/schema';
import { NewTokenForm } from './new-token-form';
import { ShownToken } from './shown-token';
import type { TokenScope } from './token-calls';
import { TokenList } from './token-list';
import { useAccessTokens } from './use-access-tokens';

/** Shows the user's access tokens. Administrators can also list everyone's tokens, including service tokens. */
export function TokensPanel({ isAdmin, initial }: { isAdmin: boolean; initial: TokensResponse }) {
  const [scope, setScope] = useState<TokenScope>('own');
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedToken | null>(null);
  const online = useOnline();
  const list = useAccessTokens(scope, initial);

  const onCreated = (token: CreatedToken) => {
    setCreated(token);
    // A service token is not in the user's own list, so switch to the list of all tokens.
    if (token.kind === 'service' && scope === 'own') setScope('all');
    else void list.reload();
  };
  const close = () => {
    setCreating(false);
    setCreated(null);
  };

  return (
    <>
      <PageHeading
        title="Access tokens"
        description={
          <>
            With a token, scripts and other systems call the{' '}
            <Anchor href="/docs" underline="always">
              API
            </Anchor>{' '}
            without a password.
          </>
        }
      >
        <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
          New token
        </Button>
      </PageHeading>
      <Stack gap="md">
        {!online && <OfflineBanner />}
        {isAdmin && (
          <SegmentedControl
            aria-label="Whose tokens"
            value={scope}
            onChange={(value) => setScope(value === 'all' ? 'all' : 'own')}
            data={[
              { value: 'own', label: 'Yours' },
              { value: 'all', label: 'Everyone’s' },
            ]}
            style={{ alignSelf: 'flex-start' }}
          />
        )}
        <TokenList list={list} scope={scope} withOwner={scope === 'all'} />
      </Stack>
      <FormDialog
        opened={creating}
        onClose={close}
        title={created ? created.name : 'New token'}
        // A stray click or key must not hide a token that cannot be shown again.
        closeOnClickOutside={created === null}
        closeOnEscape={created === null}
      >
        {created ? (
          <ShownToken created={created} onDone={close} />
        ) : (
          <NewTokenForm isAdmin={isAdmin} onCreated={onCreated} onCancel={close} />
        )}
      </FormDialog>
    </>
  );
}
