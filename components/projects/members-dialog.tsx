'use client';

import { Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { askToConfirm } from '@/components/feedback/ask-to-confirm';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { useEscapeCloses } from '@/components/feedback/use-escape-closes';
import type { Member, Project } from '@/lib/projects/schema';
import { AddMember } from './add-member';
import { MemberRow } from './member-row';
import { isOnlyOwner } from './member-rules';
import classes from './members-dialog.module.css';
import { readMembers, removeMember, setMember } from './project-calls';

type Props = { project: Project; userId: string; opened: boolean; onClose: () => void };

/**
 * Shows the members of a project. Owners can add and remove members and change roles. Other users can only view the
 * list.
 */
export function MembersDialog({ project, userId, opened, onClose }: Props) {
  const members = useQuery({
    queryKey: ['members', project.id],
    queryFn: ({ signal }) => readMembers(project.id, signal),
    // Read the members each time the dialog opens.
    enabled: opened,
  });
  const [changeError, setChangeError] = useState<unknown>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState<string>();
  const router = useRouter();
  const escapeCloses = useEscapeCloses();
  const manages = project.role === 'owner';
  const close = () => {
    setChangeError(null);
    onClose();
  };

  const change = async (member: Member, act: () => Promise<unknown>, done: string) => {
    setBusy(member.userId);
    setChangeError(null);
    try {
      await act();
      setAnnouncement(done);
      // A change to the user's own role can change what the page shows.
      if (member.userId === userId) router.refresh();
    } catch (error) {
      setChangeError(error);
    } finally {
      // Refetch the members even after an error, because someone else may have changed them.
      await members.refetch();
      setBusy(null);
    }
  };

  const leave = async (member: Member) => {
    setBusy(member.userId);
    setChangeError(null);
    try {
      await removeMember(project.id, member.userId);
      router.push('/projects');
    } catch (error) {
      setChangeError(error);
      await members.refetch();
      setBusy(null);
    }
  };

  const askToLeave = (member: Member) =>
    askToConfirm({
      title: 'Leave this project?',
      text: <>You lose access to {project.name}. Your work stays. Another owner can add you again.</>,
      action: 'Leave project',
      onConfirm: () => void leave(member),
    });

  const askToRemove = (member: Member) =>
    askToConfirm({
      title: 'Remove this member?',
      text: (
        <>
          <strong>{member.email}</strong> loses access to {project.name}. Their work stays.
        </>
      ),
      action: 'Remove',
      onConfirm: () =>
        void change(member, () => removeMember(project.id, member.userId), `${member.email} was removed.`),
    });

  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={`Members of ${project.name}`}
      closeOnEscape={escapeCloses}
    >
      <Stack gap="lg">
        {members.error !== null && (
          <ErrorAlert
            title="The members could not be loaded"
            error={members.error}
            onRetry={() => void members.refetch()}
          />
        )}
        {changeError !== null && <ErrorAlert title="The members were not changed" error={changeError} />}
        {members.data === undefined ? (
          members.error === null && <Skeleton h={104} role="status" aria-label="Loading" />
        ) : (
          <ul className={classes.list} aria-label="Members">
            {members.data.map((member) => (
              <MemberRow
                key={member.userId}
                member={member}
                isSelf={member.userId === userId}
                isOnlyOwner={isOnlyOwner(member, members.data)}
                manages={manages}
                busy={busy === null ? null : busy === member.userId ? 'here' : 'elsewhere'}
                onRole={(role) =>
                  void change(
                    member,
                    () => setMember(project.id, member.email, role),
                    `${member.email} is now ${role === 'viewer' ? 'a' : 'an'} ${role}.`,
                  )
                }
                onRemove={() => (member.userId === userId ? askToLeave(member) : askToRemove(member))}
              />
            ))}
          </ul>
        )}
        {manages ? (
          <AddMember
            projectId={project.id}
            // Clear the announcement of the previous addition. It must not stay if the new addition fails.
            onSend={() => setAnnouncement(undefined)}
            onAdded={(email) => {
              setAnnouncement(`${email} was added.`);
              void members.refetch();
            }}
            // The list may not show the member yet.
            onRefused={() => void members.refetch()}
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
