'use client';

import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';

type ConflictDialogProps = {
  opened: boolean;
  onLater: () => void;
  onTheirs: () => Promise<void>;
  onMine: () => Promise<void>;
};

/** Asks which version to keep when somebody else has saved the document in the meantime. */
export function ConflictDialog({ opened, onLater, onTheirs, onMine }: ConflictDialogProps) {
  const [busy, setBusy] = useState<'theirs' | 'mine' | null>(null);
  const [error, setError] = useState<unknown>(null);
  const decide = async (what: 'theirs' | 'mine', act: () => Promise<void>) => {
    setBusy(what);
    setError(null);
    try {
      await act();
    } catch (error) {
      setError(error);
    } finally {
      setBusy(null);
    }
  };
  return (
    <Modal
      opened={opened}
      onClose={onLater}
      title="Somebody else saved a newer version"
      closeButtonProps={{ 'aria-label': 'Decide later' }}
    >
      <Stack gap="md">
        <Text size="sm">
          The document was saved elsewhere after you opened it. Your changes are not lost: they are stored in
          this browser until you decide.
        </Text>
        {error !== null && <ErrorAlert title="Something went wrong" error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            loading={busy === 'mine'}
            disabled={busy === 'theirs'}
            onClick={() => decide('mine', onMine)}
          >
            Overwrite with mine
          </Button>
          <Button
            data-autofocus
            loading={busy === 'theirs'}
            disabled={busy === 'mine'}
            onClick={() => decide('theirs', onTheirs)}
          >
            Load theirs
          </Button>
        </Group>
        <Text size="xs" c="dimmed">
          After loading theirs, you can restore your version with Undo.
        </Text>
      </Stack>
    </Modal>
  );
}
