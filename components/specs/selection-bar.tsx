'use client';

import { Button, CloseButton, Group, Text } from '@mantine/core';
import { IconDownload, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import { countOf } from '@/components/format/count';
import type { Spec } from '@/lib/specs/schema';
import classes from './selection-bar.module.css';
import type { ManyAction } from './use-many-specs';

type SelectionBarProps = {
  specs: Spec[];
  busy: ManyAction | null;
  onRetry: (failed: Spec[]) => void;
  onDownload: () => void;
  onEdit: () => void;
  onDelete: () => void;
  onClear: () => void;
};

/** Shows the number of selected specs and the actions on them. */
export function SpecSelectionBar({
  specs,
  busy,
  onRetry,
  onDownload,
  onEdit,
  onDelete,
  onClear,
}: SelectionBarProps) {
  const failed = specs.filter(({ status }) => status === 'failed');
  return (
    <div role="toolbar" aria-label="Selected specs" className={classes.bar}>
      <Text size="sm" fw={600}>
        {specs.length.toLocaleString('en')} selected
      </Text>
      <Group gap="xs" className={classes.actions}>
        {failed.length > 0 && (
          <Button
            size="xs"
            leftSection={<IconRefresh size={16} />}
            loading={busy === 'retry'}
            onClick={() => onRetry(failed)}
          >
            Try {countOf(failed.length, 'failed', 'failed')} again
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={16} />}
          loading={busy === 'download'}
          onClick={onDownload}
        >
          Download
        </Button>
        <Button size="xs" variant="default" leftSection={<IconPencil size={16} />} onClick={onEdit}>
          Edit…
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTrash size={16} />}
          loading={busy === 'delete'}
          onClick={onDelete}
        >
          Delete…
        </Button>
      </Group>
      <CloseButton aria-label="Clear selection" title="Clear selection" onClick={onClear} />
    </div>
  );
}
