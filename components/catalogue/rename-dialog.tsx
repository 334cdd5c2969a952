'use client';

import { Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import { describeNameProblem } from '@/components/form/describe-name-problem';
import { FormButtons } from '@/components/form/form-buttons';
import { FormDialog } from '@/components/form/form-dialog';
import { useRequest } from '@/components/form/use-request';
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
export function RenameDialog({ opened, onClose, ...form }: RenameDialogProps) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={`Rename “${form.name}”`}>
      <RenameForm {...form} onClose={onClose} />
    </FormDialog>
  );
}

function RenameForm({ kind, name, onDone, onClose }: Omit<RenameDialogProps, 'opened'>) {
  const [newName, setNewName] = useState(name);
  const { busy, failure, setFailure, run } = useRequest();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const parsed = catalogueName.safeParse(newName);
    if (!parsed.success) {
      setFailure(describeNameProblem(newName, parsed.error.issues[0]?.message));
      focusField(form, 'newName');
      return;
    }
    const succeeded = await run(async () => {
      const renamed = await renameName(kind, name, parsed.data);
      notifications.show({ message: `${name} is now ${renamed}.` });
      onDone();
      onClose();
    });
    if (!succeeded) focusField(form, 'newName')?.select();
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
            setFailure(null);
          }}
          error={failure}
          autoComplete="off"
          data-autofocus
        />
        <FormButtons action="Rename" busy={busy} onCancel={onClose} />
      </Stack>
    </form>
  );
}
