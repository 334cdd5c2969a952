'use client';

import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { focusField } from '@/components/shell/focus-field';
import { studioHref } from '@/components/studio/studio-url';
import { createSubmitOnce } from '@/hooks/submit-once';
import { createProjectBody } from '@/lib/projects/schema';
import { createProject } from './project-calls';

/** Asks for a name, creates the project and opens its studio. */
export function CreateProjectDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [name, setName] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [submitOnce] = useState(createSubmitOnce);
  const router = useRouter();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const parsed = createProjectBody.safeParse({ name });
    if (!parsed.success) {
      setError(`The name ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
      focusField(event.currentTarget, 'name');
      return;
    }
    setBusy(true);
    setError(null);
    try {
      const { id } = await submitOnce(parsed.data.name, (key) => createProject(parsed.data.name, key));
      router.push(studioHref(id));
    } catch (error) {
      setError(describeError(error));
      setBusy(false);
    }
  };

  return (
    <Modal opened={opened} onClose={onClose} title="New project" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={submit} noValidate>
        <TextInput
          name="name"
          label="Name"
          description="You can add members later."
          placeholder="e.g. Harbor House"
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
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Create
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
