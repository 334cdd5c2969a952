'use client';

import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconDownload, IconPlayerStop, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useKeptFocus } from '@/hooks/use-kept-focus';
import type { Spec } from '@/lib/specs/schema';
import { useSpecActions } from './use-spec-actions';

type SpecActionsProps = { spec: Spec; onRetried: () => void; onDeleted: () => void };

/** Shows the actions for a spec in the list. */
export function SpecActions({ spec, onRetried, onDeleted }: SpecActionsProps) {
  const { busy, retry, stop, download, remove } = useSpecActions(spec, { onRetried, onDeleted });
  // After a retry, the focused "Try again" button disappears, so move the focus to the menu button.
  const { ref: more, ...retryFocus } = useKeptFocus<HTMLButtonElement>();
  const isFailed = spec.status === 'failed';
  const isUnfinished = spec.status === 'pending' || spec.status === 'processing';

  return (
    <>
      {isFailed && (
        <ActionIcon
          variant="subtle"
          size="lg"
          loading={busy === 'retry'}
          onClick={() => void retry()}
          aria-label={`Try again: ${spec.fileName}`}
          title="Try again"
          {...retryFocus}
        >
          <IconRefresh size={18} stroke={1.8} />
        </ActionIcon>
      )}
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon
            ref={more}
            variant="subtle"
            color="gray"
            size="lg"
            loading={busy === 'delete' || busy === 'download' || busy === 'stop'}
            aria-label={`More for ${spec.fileName}`}
          >
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconDownload size={18} stroke={1.6} />} onClick={() => void download()}>
            Download PDF
          </Menu.Item>
          {isUnfinished && (
            <Menu.Item leftSection={<IconPlayerStop size={18} stroke={1.6} />} onClick={stop}>
              Stop…
            </Menu.Item>
          )}
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={18} stroke={1.6} />}
            onClick={remove}
          >
            Delete…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
