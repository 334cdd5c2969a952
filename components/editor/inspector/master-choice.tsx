'use client';

import { Button, Group, Select } from '@mantine/core';
import { NO_MASTER, type PageData } from '@/lib/document/page-model';
import { newMaster } from '../new-elements';
import { useEditor, useEditorContext } from '../use-editor';

type MasterChoiceProps = { page: PageData; onChange: (masterId: string) => void };

/** The master of a page, with buttons to edit it and to add another one. */
export function MasterChoice({ page, onChange }: MasterChoiceProps) {
  const { store, canEdit } = useEditorContext();
  const masters = useEditor(({ document }) => document.masters);
  const used = masters.find(({ id }) => id === page.masterId);
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
            onClick={() =>
              store.dispatch({
                type: 'master-added',
                master: newMaster(`Master ${masters.length + 1}`),
                pageId: page.id,
              })
            }
          >
            New master
          </Button>
        )}
      </Group>
    </>
  );
}
