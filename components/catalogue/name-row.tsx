'use client';

import { ActionIcon, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowMerge, IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { countOf } from '@/components/format/count';
import { Link } from '@/components/shell/link';
import type { CatalogueEntry } from '@/lib/admin/schema';
import { deleteName, type NameKind } from './catalogue-calls';
import { MergeDialog } from './merge-dialog';
import classes from './name-list.module.css';
import { RenameDialog } from './rename-dialog';

type NameRowProps = {
  kind: NameKind;
  entry: CatalogueEntry;
  /** The names into which this one can be merged. */
  others: string[];
  onChanged: () => void;
  /** Called after a rename or merge. Both usually remove this row, so the focus has to move elsewhere. */
  onReplaced: () => void;
};

/** Shows a brand or an area with its number of specs and a menu to rename, merge or delete it. */
export function NameRow({ kind, entry, others, onChanged, onReplaced }: NameRowProps) {
  const { name, specs } = entry;
  const [dialog, setDialog] = useState<'rename' | 'merge' | null>(null);
  const [busy, setBusy] = useState(false);
  const close = () => setDialog(null);

  const remove = async () => {
    setBusy(true);
    try {
      await deleteName(kind, name);
      notifications.show({ message: `${name} was deleted.` });
    } catch (error) {
      notifications.show({
        title: `${name} could not be deleted`,
        message: describeError(error),
        color: 'red',
      });
    } finally {
      setBusy(false);
      onChanged();
    }
  };

  return (
    <li className={classes.row}>
      <span className={classes.name}>{name}</span>
      {specs === 0 ? (
        <Text size="sm" c="dimmed" className={classes.specs}>
          No specs
        </Text>
      ) : (
        <Link href={`/admin/specs?${new URLSearchParams({ [kind]: name })}`} className={classes.specs}>
          {countOf(specs, 'spec')}
        </Link>
      )}
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" loading={busy} aria-label={`More for ${name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={18} stroke={1.6} />} onClick={() => setDialog('rename')}>
            Rename…
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowMerge size={18} stroke={1.6} />}
            disabled={others.length === 0}
            onClick={() => setDialog('merge')}
          >
            Merge into another…
          </Menu.Item>
          <Menu.Item
            c={specs === 0 ? 'var(--mantine-color-error)' : undefined}
            leftSection={<IconTrash size={18} stroke={1.6} />}
            disabled={specs > 0}
            onClick={() => void remove()}
          >
            {specs === 0 ? 'Delete' : 'Delete (not while it has specs)'}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RenameDialog
        kind={kind}
        name={name}
        opened={dialog === 'rename'}
        onDone={onReplaced}
        onClose={close}
      />
      <MergeDialog
        kind={kind}
        entry={entry}
        others={others}
        opened={dialog === 'merge'}
        onDone={onReplaced}
        onClose={close}
      />
    </li>
  );
}
