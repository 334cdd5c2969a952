'use client';

import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { focusField } from '@/components/shell/focus-field';
import { catalogueName } from '@/lib/admin/schema';
import { type NameKind, renameName } from './catalogue-calls';

type RenameDialogProps = {
  kind: NameKind;
  name: string;
  opened: boolean;
  onDone: () => void;
  onClose: () => void;
};

/** Asks for a new name and renames a brand or an area. */
export function RenameDialog({ kind, name, opened, onDone, onClose }: RenameDialogProps) {
  const [busy, setBusy] = useState(false);
  const close = () => {
    if (!busy) onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={`Rename “${name}”`}
      closeButtonProps={{ 'aria-label': 'Close', disabled: busy }}
    >
      <RenameForm
        kind={kind}
        name={name}
        busy={busy}
        onBusy={setBusy}
        onDone={() => {
          onDone();
          onClose();
        }}
        onCancel={close}
      />
    </Modal>
  );
}

type FormProps = {
  kind: NameKind;
  name: string;
  busy: boolean;
  onBusy: (busy: boolean) => void;
  onDone: () => void;
  onCancel: () => void;
};

function RenameForm({ kind, name, busy, onBusy, onDone, onCancel }: FormProps) {
  const [newName, setNewName] = useState(name);
  const [error, setError] = useState<string | null>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const parsed = catalogueName.safeParse(newName);
    if (!parsed.success) {
      setError(`The name ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
      focusField(form, 'newName');
      return;
    }
    onBusy(true);
    setError(null);
    try {
      const renamed = await renameName(kind, name, parsed.data);
      notifications.show({ message: `${name} is now ${renamed}.` });
      onDone();
    } catch (error) {
      setError(describeError(error));
      focusField(form, 'newName')?.select();
    } finally {
      onBusy(false);
    }
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          name="newName"
          label="New name"
          description="All its specs show the new name."
          value={newName}
          onChange={(event) => {
            setNewName(event.currentTarget.value);
            setError(null);
          }}
          error={error}
          autoComplete="off"
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Rename
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
