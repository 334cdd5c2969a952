'use client';

import { ActionIcon, Badge, Group, Menu, Text } from '@mantine/core';
import {
  IconDots,
  IconLink,
  IconMail,
  IconShield,
  IconShieldOff,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react';
import { RelativeTime } from '@/components/format/relative-time';
import type { Person } from '@/lib/people/schema';
import classes from './people.module.css';
import { PersonAvatar } from './person-avatar';

/** An administrator's action on a person's account. */
export type PersonAction = 'send' | 'copy' | 'give-role' | 'take-role' | 'disable' | 'enable';

type PersonRowProps = {
  person: Person;
  isSelf: boolean;
  /** Whether this installation sends email. */
  sendsMail: boolean;
  busy: boolean;
  onAction: (action: PersonAction) => void;
};

const icon = { size: 18, stroke: 1.6 };

function PersonMenu({ person, isSelf, sendsMail, busy, onAction }: PersonRowProps) {
  const link = person.state === 'invited' ? 'invitation link' : 'password link';
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          loading={busy}
          aria-label={`Actions for ${person.email}`}
        >
          <IconDots {...icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {person.state !== 'disabled' && sendsMail && (
          <Menu.Item leftSection={<IconMail {...icon} />} onClick={() => onAction('send')}>
            {person.state === 'invited' ? 'Send invitation again' : 'Send password link'}
          </Menu.Item>
        )}
        {person.state !== 'disabled' && (
          <Menu.Item leftSection={<IconLink {...icon} />} onClick={() => onAction('copy')}>
            Create {link}…
          </Menu.Item>
        )}
        {person.isAdmin ? (
          <Menu.Item leftSection={<IconShieldOff {...icon} />} onClick={() => onAction('take-role')}>
            Remove administrator role
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconShield {...icon} />} onClick={() => onAction('give-role')}>
            Make administrator
          </Menu.Item>
        )}
        {person.state === 'disabled' ? (
          <Menu.Item leftSection={<IconUserCheck {...icon} />} onClick={() => onAction('enable')}>
            Enable account
          </Menu.Item>
        ) : (
          !isSelf && (
            <Menu.Item
              color="red"
              leftSection={<IconUserOff {...icon} />}
              onClick={() => onAction('disable')}
            >
              Disable account
            </Menu.Item>
          )
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function mailText({ state, mail }: Person): string | null {
  if (state !== 'invited' || !mail) return null;
  const reason = mail.reason ? ` ${mail.reason}` : '';
  const texts = {
    pending: `Sending the invitation …${reason}`,
    sent: 'Invitation sent',
    failed: `The invitation was not sent.${reason}`,
  };
  return texts[mail.state];
}

/** Shows a person's name, role and state, and a menu of actions for administrators. */
export function PersonRow(props: PersonRowProps) {
  const { person, isSelf } = props;
  const mail = mailText(person);
  return (
    <li className={classes.person}>
      <PersonAvatar person={person} size={40} />
      <div>
        <Group gap="xs">
          <span className={classes.name}>{person.name ?? person.email}</span>
          {isSelf && (
            <Text span size="sm" c="dimmed">
              (you)
            </Text>
          )}
          {person.isAdmin && (
            <Badge variant="default" tt="none" fw={500}>
              Administrator
            </Badge>
          )}
          {person.state === 'invited' && (
            <Badge variant="default" tt="none" fw={500}>
              Invited
            </Badge>
          )}
          {person.state === 'disabled' && (
            <Badge color="red" variant="light" tt="none" fw={500}>
              Disabled
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed" component="div" mt={2} className={classes.facts}>
          {person.name !== null && <span>{person.email}</span>}
          {person.state !== 'invited' && (
            <span>
              {person.lastSeenAt ? (
                <>
                  Last seen <RelativeTime iso={person.lastSeenAt} />
                </>
              ) : (
                'Never signed in'
              )}
            </span>
          )}
          {mail && (
            <Text span inherit c={person.mail?.state === 'failed' ? 'red' : undefined}>
              {mail}
            </Text>
          )}
        </Text>
      </div>
      <PersonMenu {...props} />
    </li>
  );
}
