'use client';

import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { SubmitButton } from '@/components/form/submit-button';

type DeleteProjectDialogProps = {
  name: string;
  opened: boolean;
  onClose: () => void;
  /** Deletes the project. Resolves to whether the deletion succeeded. */
  onDelete: () => Promise<boolean>;
};

/** Asks the user to type the name of a project before it is deleted. */
export function DeleteProjectDialog({ name, opened, onClose, onDelete }: DeleteProjectDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Delete this project?">
      <DeleteProjectForm name={name} onClose={onClose} onDelete={onDelete} />
    </Modal>
  );
}

function DeleteProjectForm({ name, onClose, onDelete }: Omit<DeleteProjectDialogProps, 'opened'>) {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  // HTML collapses repeated spaces, so users cannot see how many spaces the name contains. Compare the names as HTML
  // shows them.
  const plain = (text: string) => text.trim().replace(/\s+/g, ' ');
  const isTyped = plain(typed) === plain(name);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isTyped || busy) return;
    setBusy(true);
    if (await onDelete()) onClose();
    else setBusy(false);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Text size="sm" mb="md">
        <strong>{name}</strong>, its images and its documents can no longer be opened. An owner can restore it
        for 30 days. Images in progress will still finish.
      </Text>
      <TextInput
        label="Type the name of the project"
        placeholder={name}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton color="red" disabled={!isTyped} loading={busy}>
          Delete project
        </SubmitButton>
      </Group>
    </form>
  );
}
