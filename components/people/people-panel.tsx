'use client';

import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconHistory, IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { ListFrame } from '@/components/feedback/list-frame';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { Link } from '@/components/shell/link';
import { PageHeading } from '@/components/shell/page-heading';
import { useOnline } from '@/hooks/use-online';
import { usePages } from '@/hooks/use-pages';
import type { AccountLink, PeopleResponse } from '@/lib/people/schema';
import { InviteDialog } from './invite-dialog';
import { LinkDialog } from './link-dialog';
import { readPeople } from './people-calls';
import { PersonRow } from './person-row';
import { type ServiceTokens, ServiceTokensDialog } from './service-tokens-dialog';
import { usePersonActions } from './use-person-actions';

const pageOf = ({ people, nextCursor }: PeopleResponse) => ({ items: people, nextCursor });

type PeoplePanelProps = { userId: string; sendsMail: boolean; initial: PeopleResponse };

/** Lists the people who have an account, each with a menu of account actions, and offers to invite more. */
export function PeoplePanel({ userId, sendsMail, initial }: PeoplePanelProps) {
  const [text, setText] = useState('');
  const [query] = useDebouncedValue(text.trim(), 250);
  const [inviting, setInviting] = useState(false);
  const [shown, setShown] = useState<{ email: string; url: string; purpose: AccountLink['purpose'] } | null>(
    null,
  );
  const [serviceTokens, setServiceTokens] = useState<ServiceTokens | null>(null);
  const [announcement, setAnnouncement] = useState<string>();
  const online = useOnline();
  const list = usePages({
    queryKey: ['people', query],
    read: async (cursor, signal) => pageOf(await readPeople(query, cursor, signal)),
    initial: pageOf(initial),
  });

  const onLink = (email: string, { url, purpose }: AccountLink) => {
    if (url !== null) {
      setShown({ email, url, purpose });
      return;
    }
    const link = purpose === 'invitation' ? 'The invitation' : 'The password link';
    notifications.show({ message: `${link} is being sent to ${email}.` });
  };
  const actions = usePersonActions({
    onLink,
    onServiceTokens: setServiceTokens,
    onDone: setAnnouncement,
    reload: list.reload,
  });

  return (
    <>
      <PageHeading title="People" description="Everyone with an account in this studio.">
        <Group gap="sm">
          <Button
            component={Link}
            href="/admin/people/activity"
            variant="default"
            leftSection={<IconHistory size={16} />}
          >
            Activity
          </Button>
          <Button leftSection={<IconPlus size={16} />} onClick={() => setInviting(true)}>
            Invite
          </Button>
        </Group>
      </PageHeading>
      <Stack gap="md">
        {!online && <OfflineBanner />}
        <TextInput
          type="search"
          aria-label="Search people"
          placeholder="Name or email"
          leftSection={<IconSearch size={16} />}
          maw="24rem"
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <ListFrame
          list={list}
          items={list.items}
          label="People"
          empty={query ? 'No person matches this search.' : 'No people yet.'}
        >
          {(person) => (
            <PersonRow
              key={person.id}
              person={person}
              isSelf={person.id === userId}
              sendsMail={sendsMail}
              busy={actions.busy === person.id}
              onAction={(action) => void actions.start(person, action)}
            />
          )}
        </ListFrame>
      </Stack>
      <InviteDialog
        opened={inviting}
        sendsMail={sendsMail}
        onClose={() => setInviting(false)}
        onInvited={(email, link) => {
          setInviting(false);
          onLink(email, link);
          void list.reload();
        }}
      />
      <LinkDialog shown={shown} onClose={() => setShown(null)} />
      <ServiceTokensDialog
        shown={serviceTokens}
        onClose={() => setServiceTokens(null)}
        onDone={() => {
          setServiceTokens(null);
          setAnnouncement('The service tokens were revoked.');
        }}
      />
      <Announcer text={announcement} />
    </>
  );
}
