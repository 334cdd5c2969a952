'use client';

import { Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { SubmitButton } from '@/components/form/submit-button';
import { focusField } from '@/components/shell/focus-field';
import { projectRole, setMemberBody } from '@/lib/projects/schema';
import classes from './members-dialog.module.css';
import { addMember } from './project-calls';
import { roleChoices } from './role-choices';

type AddMemberProps = {
  projectId: string;
  onSend: () => void;
  onAdded: (email: string) => void;
  onRefused: () => void;
};

/**
 * Shows a form that adds a user to a project by the email address of the user's account. Calls `onSend` whenever the
 * form is submitted, even if the user is not added, and `onRefused` if the user is already a member.
 */
export function AddMember({ projectId, onSend, onAdded, onRefused }: AddMemberProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<string>('editor');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    onSend();
    const parsed = setMemberBody.safeParse({ email: email.trim(), role: projectRole.parse(role) });
    if (!parsed.success) {
      setError('Enter a valid email address.');
      focusField(form, 'email');
      return;
    }
    setBusy(true);
    setError(null);
    try {
      const existing = await addMember(projectId, parsed.data.email, parsed.data.role);
      if (existing) {
        setError(`${existing.email} is already a member. Change the role in the list above.`);
        onRefused();
      } else {
        setEmail('');
        onAdded(parsed.data.email);
      }
    } catch (error) {
      setError(describeError(error));
    } finally {
      setBusy(false);
      focusField(form, 'email');
    }
  };

  return (
    <form onSubmit={submit} noValidate className={classes.add} aria-label="Add a member">
      <TextInput
        type="email"
        name="email"
        label="Add by email"
        placeholder="name@studio.example"
        value={email}
        onChange={(event) => {
          setEmail(event.currentTarget.value);
          setError(null);
        }}
        error={error}
        autoComplete="off"
      />
      <Select
        label="Role"
        data={roleChoices}
        value={role}
        allowDeselect={false}
        onChange={(value) => setRole(value ?? 'editor')}
      />
      <SubmitButton loading={busy} mt={{ base: 0, xs: '1.55rem' }}>
        Add
      </SubmitButton>
    </form>
  );
}
