'use client';

import { Button, Group, Select } from '@mantine/core';
import { NO_MASTER } from '@/lib/document/page-model';
import type { MasterUser } from '../change-masters';
import { newMaster } from '../new-elements';
import { useEditor, useEditorContext } from '../use-editor';

type MasterChoiceProps = {
  value: string;
  user: MasterUser;
  onChange: (masterId: string) => void;
};

/** Lets the user select the master of a page, the cover or the contents, edit that master, or add another one. */
export function MasterChoice({ value, user, onChange }: MasterChoiceProps) {
  const { store, canEdit } = useEditorContext();
  const masters = useEditor(({ document }) => document.masters);
  const used = masters.find(({ id }) => id === value);
  return (
    <>
      <Select
        size="xs"
        label="Master"
        value={used?.id ?? NO_MASTER}
        disabled={!canEdit}
        allowDeselect={false}
        data={[
          { value: NO_MASTER, label: 'None' },
          ...masters.map(({ id, title }) => ({ value: id, label: title || 'Untitled' })),
        ]}
        onChange={(id) => onChange(id ?? NO_MASTER)}
      />
      <Group gap="xs">
        {used && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => store.dispatch({ type: 'sheet-opened', sheet: { kind: 'master', id: used.id } })}
          >
            Edit master
          </Button>
        )}
        {canEdit && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              const master = newMaster(`Master ${masters.length + 1}`);
              store.dispatch({ type: 'master-added', master, user });
            }}
          >
            New master
          </Button>
        )}
      </Group>
    </>
  );
}
