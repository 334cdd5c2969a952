'use client';

import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { countOf } from '@/components/format/count';
import type { CatalogueEntry } from '@/lib/admin/schema';
import { mergeNames, type NameKind } from './catalogue-calls';

type MergeDialogProps = {
  kind: NameKind;
  entry: CatalogueEntry;
  /** The names into which `entry` can be merged. */
  others: string[];
  opened: boolean;
  onDone: () => void;
  onClose: () => void;
};

/** Merges a brand or an area into another one, after explaining what that does. */
export function MergeDialog({ kind, entry, others, opened, onDone, onClose }: MergeDialogProps) {
  const [into, setInto] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const close = () => {
    if (busy) return;
    setInto(null);
    setError(null);
    onClose();
  };

  const merge = async () => {
    if (!into) {
      setError(`Choose ${kind === 'brand' ? 'a brand' : 'an area'}.`);
      return;
    }
    setBusy(true);
    setError(null);
    try {
      const moved = await mergeNames(kind, entry.name, into);
      notifications.show({
        message: `${entry.name} was merged into ${into}: ${countOf(moved, 'spec')} moved.`,
      });
      onDone();
      onClose();
    } catch (error) {
      setError(describeError(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Modal
      opened={opened}
      onClose={close}
      title={`Merge “${entry.name}”`}
      closeButtonProps={{ 'aria-label': 'Close', disabled: busy }}
    >
      <Stack gap="md">
        <Select
          label={kind === 'brand' ? 'Into brand' : 'Into area'}
          data={others}
          value={into}
          onChange={(value) => {
            setInto(value);
            setError(null);
          }}
          searchable
          nothingFoundMessage={kind === 'brand' ? 'No brand matches' : 'No area matches'}
          error={error}
          data-autofocus
          openOnFocus={false}
        />
        <Text size="sm">
          {entry.specs === 0
            ? `“${entry.name}” has no specs and is deleted.`
            : `${countOf(entry.specs, 'spec')} ${entry.specs === 1 ? 'is' : 'are'} moved, and “${entry.name}” is deleted.`}{' '}
          This cannot be undone.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close} disabled={busy}>
            Cancel
          </Button>
          <Button color="red" loading={busy} onClick={() => void merge()}>
            Merge
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
