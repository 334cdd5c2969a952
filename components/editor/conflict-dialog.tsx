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

/** Two have changed the same document: nobody's work goes without a word. */
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
          The document was saved elsewhere after you opened it. Your own changes are not lost: they are on
          this page and kept in this browser until you decide.
        </Text>
        {error !== null && <ErrorAlert title="That did not work" error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            loading={busy === 'mine'}
            disabled={busy === 'theirs'}
            onClick={() => decide('mine', onMine)}
          >
            Keep mine over it
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
          What you give up by loading theirs can be brought back with Undo.
        </Text>
      </Stack>
    </Modal>
  );
}
