'use client';

import { ActionIcon, Select, Text } from '@mantine/core';
import { IconLogout, IconUserMinus } from '@tabler/icons-react';
import { useId } from 'react';
import { PersonAvatar } from '@/components/people/person-avatar';
import { type Member, projectRole } from '@/lib/projects/schema';
import classes from './members-dialog.module.css';
import { roleChoices } from './role-choices';

type MemberRowProps = {
  member: Member;
  isSelf: boolean;
  isOnlyOwner: boolean;
  /** Whether the user can change the members. */
  manages: boolean;
  /**
   * `here` while a change to this member is being saved, `elsewhere` while a change to another member is being saved,
   * otherwise null.
   */
  busy: 'here' | 'elsewhere' | null;
  onRole: (role: Member['role']) => void;
  onRemove: () => void;
};

/** Shows a project member and the member's role. Owners also get controls to change the role or remove the member. */
export function MemberRow({ member, isSelf, isOnlyOwner, manages, busy, onRole, onRemove }: MemberRowProps) {
  const { email, role } = member;
  const whyId = useId();
  const Icon = isSelf ? IconLogout : IconUserMinus;
  const describedBy = isOnlyOwner ? whyId : undefined;
  return (
    <li className={classes.member}>
      <PersonAvatar person={member} />
      <div className={classes.email}>
        <Text size="sm">
          {member.name ?? email}
          {isSelf && (
            <Text span c="dimmed" size="sm">
              {' '}
              (you)
            </Text>
          )}
        </Text>
        {member.name && (
          <Text size="xs" c="dimmed">
            {email}
          </Text>
        )}
        {manages && isOnlyOwner && (
          <Text id={whyId} size="xs" c="dimmed">
            A project needs at least one owner.
          </Text>
        )}
      </div>
      {manages ? (
        <>
          <Select
            aria-label={`Role of ${email}`}
            aria-describedby={describedBy}
            data={roleChoices}
            value={role}
            allowDeselect={false}
            readOnly={busy !== null}
            disabled={isOnlyOwner}
            w={112}
            onChange={(value) => {
              const chosen = projectRole.safeParse(value).data;
              if (chosen && chosen !== role) onRole(chosen);
            }}
          />
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            loading={busy === 'here'}
            disabled={isOnlyOwner || busy === 'elsewhere'}
            aria-label={isSelf ? 'Leave project' : `Remove ${email}`}
            aria-describedby={describedBy}
            title={isSelf ? 'Leave project' : 'Remove'}
            onClick={onRemove}
          >
            <Icon size={18} stroke={1.6} />
          </ActionIcon>
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {roleChoices.find(({ value }) => value === role)?.label}
        </Text>
      )}
    </li>
  );
}
