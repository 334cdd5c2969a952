'use client';

import { ActionIcon, Button, Group, TextInput, Tooltip } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { FormDialog } from '@/components/form/form-dialog';
import { FormFailure } from '@/components/form/form-failure';
import { SubmitButton } from '@/components/form/submit-button';
import { useRequest } from '@/components/form/use-request';
import { focusField } from '@/components/shell/focus-field';
import { renameJob } from '@/hooks/image-gen/image-gen-calls';
import { type ImageJob, renameJobBody } from '@/lib/image-gen/schema';

type RenameButtonProps = { job: ImageJob; onRenamed: () => void };

/** Shows a button that opens a dialog to name an image job. */
export function RenameButton({ job, onRenamed }: RenameButtonProps) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <Tooltip label="Rename" openDelay={400}>
        <ActionIcon variant="subtle" color="gray" aria-label="Rename" onClick={() => setOpened(true)}>
          <IconPencil size={18} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      <FormDialog opened={opened} onClose={close} title="Rename image">
        <RenameForm
          job={job}
          onCancel={close}
          onRenamed={() => {
            close();
            onRenamed();
          }}
        />
      </FormDialog>
    </>
  );
}

function RenameForm({ job, onCancel, onRenamed }: RenameButtonProps & { onCancel: () => void }) {
  const [name, setName] = useState(job.name ?? '');
  const [nameError, setNameError] = useState<string | null>(null);
  const { busy, failure, run } = useRequest();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const parsed = renameJobBody.safeParse({ name: name.trim() || null });
    if (!parsed.success) {
      setNameError(`The name ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
      focusField(event.currentTarget, 'name');
      return;
    }
    const { name: newName = null } = parsed.data;
    const isRenamed = await run(async () => {
      await renameJob(job.jobId, newName);
    });
    if (isRenamed) onRenamed();
  };

  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        name="name"
        label="Name"
        description="Without a name, the prompt is shown."
        placeholder={job.prompt}
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setNameError(null);
        }}
        error={nameError}
        autoComplete="off"
        data-autofocus
      />
      <FormFailure text={failure} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onCancel} disabled={busy}>
          Cancel
        </Button>
        <SubmitButton loading={busy}>Rename</SubmitButton>
      </Group>
    </form>
  );
}
