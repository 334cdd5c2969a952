'use client';

import { Button, Group, Select } from '@mantine/core';
import { NO_MASTER, type PageData } from '@/lib/document/page-model';
import { newMaster } from '../new-elements';
import { useEditor, useEditorContext } from '../use-editor';

type MasterChoiceProps = {
  /** The page or sheet that uses the master. */
  user: Pick<PageData, 'masterId'>;
  /** The id of the page; null for the cover and the contents. */
  pageId: string | null;
  onChange: (masterId: string) => void;
};

/** Lets the user select the master of a page, the cover or the contents, edit that master, or add another one. */
export function MasterChoice({ user, pageId, onChange }: MasterChoiceProps) {
  const { store, canEdit } = useEditorContext();
  const masters = useEditor(({ document }) => document.masters);
  const used = masters.find(({ id }) => id === user.masterId);
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
        onChange={(value) => onChange(value ?? NO_MASTER)}
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
              if (pageId === null) onChange(master.id);
              store.dispatch({ type: 'master-added', master, pageId });
            }}
          >
            New master
          </Button>
        )}
      </Group>
    </>
  );
}
