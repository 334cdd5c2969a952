'use client';

import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { describeNameProblem } from '@/components/form/describe-name-problem';
import { SubmitButton } from '@/components/form/submit-button';
import { focusField } from '@/components/shell/focus-field';
import { projectNameBody } from '@/lib/projects/schema';

type ProjectNameFormProps = {
  initial?: string;
  placeholder?: string;
  description?: string;
  action: string;
  /** Saves the name. If it rejects, the form shows the error. If it resolves, the form stays busy. */
  onSave: (name: string) => Promise<void>;
  onCancel: () => void;
};

/** Shows a form for the name of a project, a document or a page template. */
export function ProjectNameForm({
  initial = '',
  placeholder = 'e.g. Harbor House',
  description,
  action,
  onSave,
  onCancel,
}: ProjectNameFormProps) {
  const [name, setName] = useState(initial);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const parsed = projectNameBody.safeParse({ name });
    if (!parsed.success) {
      setError(describeNameProblem(name, parsed.error.issues[0]?.message));
      focusField(event.currentTarget, 'name');
      return;
    }
    setBusy(true);
    setError(null);
    try {
      await onSave(parsed.data.name);
    } catch (error) {
      setError(describeError(error));
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        name="name"
        label="Name"
        description={description}
        placeholder={placeholder}
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setError(null);
        }}
        error={error}
        autoComplete="off"
        data-autofocus
      />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton loading={busy}>{action}</SubmitButton>
      </Group>
    </form>
  );
}
