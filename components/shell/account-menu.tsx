'use client';

import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconKey, IconLogout, IconUser } from '@tabler/icons-react';
import { showError } from '@/components/feedback/show-error';
import { PersonAvatar } from '@/components/people/person-avatar';
import { loadBrowserClient } from '@/hooks/load-browser-client';
import { usePublicConfig } from '@/hooks/use-public-config';
import { Link } from './link';

export type ShellAccount = { email: string; isAdmin: boolean; name: string | null; picture: string | null };

/** Shows who is signed in, with links to the user's account and access tokens and a button to sign out. */
export function AccountMenu({ account }: { account: ShellAccount }) {
  const { email, name } = account;
  const role = account.isAdmin ? 'Administrator' : 'Member';
  const config = usePublicConfig();
  const signOut = async () => {
    try {
      const { auth } = await loadBrowserClient(config);
      // Sign out of this browser only. The cookies are removed even if the server is unavailable.
      await auth.signOut({ scope: 'local' });
    } catch (error) {
      return showError('You are still signed in', error);
    }
    // A full page load clears the user's data from memory.
    window.location.assign('/sign-in');
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Account of ${email}`}>
          <PersonAvatar person={account} size={28} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="bright" component="span" display="block">
            {name ?? email}
          </Text>
          <Text size="xs" c="dimmed" component="span">
            {name ? `${email} · ${role}` : role}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} href="/account" leftSection={<IconUser size={18} stroke={1.6} />}>
          Account
        </Menu.Item>
        <Menu.Item component={Link} href="/tokens" leftSection={<IconKey size={18} stroke={1.6} />}>
          Access tokens
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={18} stroke={1.6} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
