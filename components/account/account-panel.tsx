'use client';

import { Stack } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { PageHeading } from '@/components/shell/page-heading';
import { useOnline } from '@/hooks/use-online';
import type { Account } from '@/lib/people/schema';
import { NameForm } from './name-form';
import { PasswordForm } from './password-form';
import { PictureField } from './picture-field';

/** Shows the forms to change the user's name, picture and password. */
export function AccountPanel({ account }: { account: Account }) {
  const online = useOnline();
  // `refresh` reloads the account, which both this page and the header show.
  const { refresh } = useRouter();
  return (
    <>
      <PageHeading title="Account" description={account.email} />
      <Stack gap="xl" maw="28rem">
        {!online && <OfflineBanner />}
        <PictureField account={account} onChanged={refresh} />
        <NameForm account={account} onChanged={refresh} />
        <PasswordForm email={account.email} />
      </Stack>
    </>
  );
}
