'use client';

import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { focusField } from '@/components/shell/focus-field';
import { type AccountLink, inviteBody } from '@/lib/people/schema';
import { invitePerson } from './people-calls';

type InviteDialogProps = {
  opened: boolean;
  sendsMail: boolean;
  onInvited: (email: string, link: AccountLink) => void;
  onClose: () => void;
};

type FormProps = Omit<InviteDialogProps, 'opened'> & { busy: boolean; onBusy: (busy: boolean) => void };

function InviteForm({ sendsMail, onInvited, onClose, busy, onBusy }: FormProps) {
  const [email, setEmail] = useState('');
  const [isAdmin, setIsAdmin] = useState(false);
  const [copy, setCopy] = useState(false);
  const [invalid, setInvalid] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const parsed = inviteBody.safeParse({ email: email.trim(), isAdmin, copy });
    if (!parsed.success) {
      setInvalid('Enter an email address');
      focusField(event.currentTarget, 'email');
      return;
    }
    onBusy(true);
    setFailure(null);
    try {
      onInvited(parsed.data.email, await invitePerson(parsed.data));
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      onBusy(false);
    }
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          type="email"
          name="email"
          label="Email"
          value={email}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            setInvalid(null);
          }}
          error={invalid}
          autoComplete="off"
          data-autofocus
        />
        <Checkbox
          label="Administrator"
          description="Manages people, specs, brands and the workflow, and sees every project."
          checked={isAdmin}
          onChange={(event) => setIsAdmin(event.currentTarget.checked)}
        />
        {sendsMail && (
          <Checkbox
            label="Copy the link instead of sending it"
            checked={copy}
            onChange={(event) => setCopy(event.currentTarget.checked)}
          />
        )}
        {failure && (
          <Text size="sm" c="red" role="alert">
            {failure}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Invite
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Asks for the email address and the role of a person, and invites the person. */
export function InviteDialog({ opened, onClose, ...form }: InviteDialogProps) {
  const [busy, setBusy] = useState(false);
  const close = () => {
    // Stay open while the request runs: a link in its response cannot be shown again.
    if (!busy) onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Invite person"
      closeButtonProps={{ 'aria-label': 'Close', disabled: busy }}
    >
      <InviteForm {...form} onClose={close} busy={busy} onBusy={setBusy} />
    </Modal>
  );
}
