'use client';

import { Button, Select, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { projectRole, setMemberBody } from '@/lib/projects/schema';
import classes from './members-dialog.module.css';
import { setMember } from './project-calls';
import { roleChoices } from './role-choices';

/** A form that adds a member to a project by the email address of their account. */
export function AddMember({ projectId, onAdded }: { projectId: string; onAdded: (email: string) => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<string>('editor');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const parsed = setMemberBody.safeParse({ email: email.trim(), role: projectRole.parse(role) });
    if (!parsed.success) {
      setError('Enter a valid email address.');
      input.current?.focus();
      return;
    }
    setBusy(true);
    setError(null);
    try {
      await setMember(projectId, parsed.data.email, parsed.data.role);
      setEmail('');
      onAdded(parsed.data.email);
    } catch (error) {
      setError(describeError(error));
    } finally {
      setBusy(false);
      input.current?.focus();
    }
  };

  return (
    <form onSubmit={submit} noValidate className={classes.add} aria-label="Add a member">
      <TextInput
        ref={input}
        type="email"
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
      <Button type="submit" loading={busy} mt={{ base: 0, xs: '1.55rem' }}>
        Add
      </Button>
    </form>
  );
}
