'use client';

import { Stack } from '@mantine/core';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { PageHeading } from '@/components/shell/page-heading';
import { useOnline } from '@/hooks/use-online';
import type { Account } from '@/lib/people/schema';
import { NameForm } from './name-form';
import { PasswordForm } from './password-form';
import { PictureField } from './picture-field';
import { useAccount } from './use-account';

/** Shows the user's own name, picture and password, which can be changed here. */
export function AccountPanel({ initial }: { initial: Account }) {
  const online = useOnline();
  const { data: account = initial, refetch } = useAccount(initial);
  return (
    <>
      <PageHeading title="Account" description={account.email} />
      <Stack gap="xl" maw="28rem">
        {!online && <OfflineBanner />}
        <PictureField account={account} onChanged={() => void refetch()} />
        <NameForm account={account} onChanged={() => void refetch()} />
        <PasswordForm email={account.email} />
      </Stack>
    </>
  );
}
