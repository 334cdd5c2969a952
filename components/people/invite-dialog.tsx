'use client';

import { Checkbox, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { FormButtons } from '@/components/form/form-buttons';
import { FormDialog } from '@/components/form/form-dialog';
import { FormFailure } from '@/components/form/form-failure';
import { useRequest } from '@/components/form/use-request';
import { focusField } from '@/components/shell/focus-field';
import { type AccountLink, inviteBody } from '@/lib/people/schema';
import { invitePerson } from './people-calls';

type InviteDialogProps = {
  opened: boolean;
  sendsMail: boolean;
  onInvited: (email: string, link: AccountLink) => void;
  onClose: () => void;
};

function InviteForm({ sendsMail, onInvited, onClose }: Omit<InviteDialogProps, 'opened'>) {
  const [email, setEmail] = useState('');
  const [isAdmin, setIsAdmin] = useState(false);
  const [copy, setCopy] = useState(false);
  const [invalid, setInvalid] = useState<string | null>(null);
  const { busy, failure, run } = useRequest();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const parsed = inviteBody.safeParse({ email: email.trim(), isAdmin, copy });
    if (!parsed.success) {
      setInvalid('Enter an email address');
      focusField(event.currentTarget, 'email');
      return;
    }
    await run(async () => onInvited(parsed.data.email, await invitePerson(parsed.data)));
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
        <FormFailure text={failure} />
        <FormButtons action="Invite" busy={busy} onCancel={onClose} />
      </Stack>
    </form>
  );
}

/** Asks for a person's email address and role, and invites the person. */
export function InviteDialog({ opened, onClose, ...form }: InviteDialogProps) {
  return (
    <FormDialog opened={opened} onClose={onClose} title="Invite person">
      <InviteForm {...form} onClose={onClose} />
    </FormDialog>
  );
}
