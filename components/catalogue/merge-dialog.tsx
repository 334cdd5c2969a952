'use client';

import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { FormDialog } from '@/components/form/form-dialog';
import { openOnTyping } from '@/components/form/open-on-typing';
import { useRequest } from '@/components/form/use-request';
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

/** Asks into which brand or area to merge `entry`, explains what merging does, and merges it. */
export function MergeDialog({ opened, onClose, ...form }: MergeDialogProps) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={`Merge “${form.entry.name}”`}>
      <MergeForm {...form} onClose={onClose} />
    </FormDialog>
  );
}

function MergeForm({ kind, entry, others, onDone, onClose }: Omit<MergeDialogProps, 'opened'>) {
  const [into, setInto] = useState<string | null>(null);
  const { busy, failure, setFailure, run } = useRequest();

  const merge = async () => {
    if (!into) {
      setFailure(`Choose ${kind === 'brand' ? 'a brand' : 'an area'}.`);
      return;
    }
    await run(async () => {
      // Do not show the response's number of specs. It includes replaced versions, which the lists do not count.
      await mergeNames(kind, entry.name, into);
      notifications.show({ message: `${entry.name} was merged into ${into}.` });
      onDone();
      onClose();
    });
  };

  return (
    <Stack gap="md">
      <Select
        {...openOnTyping}
        label={kind === 'brand' ? 'Into brand' : 'Into area'}
        data={others}
        value={into}
        onChange={(value) => {
          setInto(value);
          setFailure(null);
        }}
        nothingFoundMessage={kind === 'brand' ? 'No brand matches' : 'No area matches'}
        error={failure}
        data-autofocus
      />
      <Text size="sm">
        {entry.specs === 0
          ? `“${entry.name}” has no specs and is deleted.`
          : `${countOf(entry.specs, 'spec')} ${entry.specs === 1 ? 'is' : 'are'} moved, and “${entry.name}” is deleted.`}{' '}
        This cannot be undone.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button color="red" loading={busy} onClick={() => void merge()}>
          Merge
        </Button>
      </Group>
    </Stack>
  );
}
