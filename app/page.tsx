import { Text } from '@mantine/core';
import { redirect } from 'next/navigation';
import { PageHeading } from '@/components/shell/page-heading';
import { SiteShell } from '@/components/shell/site-shell';
import { pageCaller } from '@/lib/auth/page-caller';

export const metadata = { title: 'Start' };

/** Sends each person to what they can do here. */
export default async function StartPage() {
  const caller = await pageCaller();
  if (!caller) redirect('/sign-in');
  if (caller.isAdmin) redirect('/admin/specs');
  return (
    <SiteShell account={{ email: caller.email, isAdmin: false }}>
      <PageHeading title="Welcome to Atelier" description={`You are signed in as ${caller.email}.`} />
      <Text maw="40rem">
        Your account has no admin role, so brand specs, brands and areas are not yours to manage. If they
        should be, ask an administrator of your studio for the role, then sign out and in again.
      </Text>
    </SiteShell>
  );
}
