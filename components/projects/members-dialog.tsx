'use client';

import { ActionIcon, Modal, Select, Skeleton, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconUserMinus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { type Member, type Project, projectRole } from '@/lib/projects/schema';
import { AddMember } from './add-member';
import classes from './members-dialog.module.css';
import { readMembers, removeMember, setMember } from './project-calls';
import { roleChoices } from './role-choices';

type Props = { project: Project; userId: string; opened: boolean; onClose: () => void };

/** The members of a project. Owners can add and remove members and change roles; others can only view the list. */
export function MembersDialog({ project, userId, opened, onClose }: Props) {
  const members = useQuery({
    queryKey: ['members', project.id],
    queryFn: ({ signal }) => readMembers(project.id, signal),
    // Read each time the dialog opens.
    enabled: opened,
  });
  const [changeError, setChangeError] = useState<unknown>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState<string>();
  const router = useRouter();
  const manages = project.role === 'owner';
  const error = changeError ?? members.error;
  const read = async () => {
    setChangeError(null);
    await members.refetch();
  };
  const close = () => {
    setChangeError(null);
    onClose();
  };

  const change = async (member: Member, act: () => Promise<unknown>, done: string) => {
    setBusy(member.userId);
    try {
      await act();
      setAnnouncement(done);
      await read();
      // Changing one's own role can change what the page may show.
      if (member.userId === userId) router.refresh();
    } catch (error) {
      setChangeError(error);
    } finally {
      setBusy(null);
    }
  };

  const askToRemove = (member: Member) =>
    modals.openConfirmModal({
      title: 'Remove this member?',
      children: (
        <Text size="sm">
          <strong>{member.email}</strong> loses access to {project.name}. Their work stays.
        </Text>
      ),
      labels: { confirm: 'Remove', cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      cancelProps: { 'data-autofocus': true },
      closeButtonProps: { 'aria-label': 'Close' },
      onConfirm: () =>
        void change(member, () => removeMember(project.id, member.userId), `${member.email} was removed.`),
    });

  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={`Members of ${project.name}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="lg">
        {error !== null && (
          <ErrorAlert title="Couldn't load or change the members" error={error} onRetry={() => void read()} />
        )}
        {members.data === undefined ? (
          error === null && <Skeleton h={104} role="status" aria-label="Loading" />
        ) : (
          <ul className={classes.list} aria-label="Members">
            {members.data.map((member) => (
              <li key={member.userId} className={classes.member}>
                <Text size="sm" className={classes.email}>
                  {member.email}
                  {member.userId === userId && (
                    <Text span c="dimmed" size="sm">
                      {' '}
                      (you)
                    </Text>
                  )}
                </Text>
                {manages ? (
                  <>
                    <Select
                      aria-label={`Role of ${member.email}`}
                      data={roleChoices}
                      value={member.role}
                      allowDeselect={false}
                      readOnly={busy !== null}
                      w={112}
                      onChange={(value) => {
                        const role = projectRole.safeParse(value).data;
                        if (!role || role === member.role) return;
                        void change(
                          member,
                          () => setMember(project.id, member.email, role),
                          `${member.email} is now ${role === 'viewer' ? 'a' : 'an'} ${role}.`,
                        );
                      }}
                    />
                    <ActionIcon
                      variant="subtle"
                      color="red"
                      size="lg"
                      loading={busy === member.userId}
                      disabled={busy !== null && busy !== member.userId}
                      aria-label={`Remove ${member.email}`}
                      onClick={() => askToRemove(member)}
                    >
                      <IconUserMinus size={18} stroke={1.6} />
                    </ActionIcon>
                  </>
                ) : (
                  <Text size="sm" c="dimmed">
                    {roleChoices.find(({ value }) => value === member.role)?.label}
                  </Text>
                )}
              </li>
            ))}
          </ul>
        )}
        {manages ? (
          <AddMember
            projectId={project.id}
            onAdded={(email) => {
              setAnnouncement(`${email} was added.`);
              void read();
            }}
          />
        ) : (
          <Text size="sm" c="dimmed">
            Only owners of the project can add members and change roles.
          </Text>
        )}
        <Announcer text={announcement} />
      </Stack>
    </Modal>
  );
}
