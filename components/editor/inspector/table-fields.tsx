'use client';

import { Button, FileButton, Group, SimpleGrid, Switch, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { countOf } from '@/components/format/count';
import type { TableElement } from '@/lib/document/page-model';
import { FontSelect } from '../fonts/font-select';
import { fillTableFromFile } from '../tables/add-table-file';
import { CELL_FILES } from '../tables/cells-in-file';
import { useEditorContext } from '../use-editor';
import { ColorField, NumberField } from './fields';
import { StyleField } from './style-field';
import { TableDialog } from './table-dialog';
import { useElementFields } from './use-element-fields';

/** The styles of tables, and a button that opens the cell editor. */
export function TableFields({ elements }: { elements: readonly TableElement[] }) {
  const { value, field, colorField, change, disabled } = useElementFields(elements);
  const { store } = useEditorContext();
  const [opened, setOpened] = useState(false);
  const resetFile = useRef<() => void>(null);
  const [only] = elements;
  return (
    <>
      {only && elements.length === 1 && (
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed">
            {countOf(only.columns.length, 'column')}, {countOf(only.rows.length, 'row')}
          </Text>
          <Button size="xs" variant="default" disabled={disabled} onClick={() => setOpened(true)}>
            Edit cells
          </Button>
          <FileButton
            accept={CELL_FILES}
            resetRef={resetFile}
            disabled={disabled}
            onChange={(file) => {
              // The same file can be chosen again.
              resetFile.current?.();
              if (file) void fillTableFromFile(store, only.id, file);
            }}
          >
            {(props) => (
              <Button {...props} size="xs" variant="default" disabled={disabled}>
                Replace with CSV file
              </Button>
            )}
          </FileButton>
          <TableDialog element={only} opened={opened && !disabled} onClose={() => setOpened(false)} />
        </Group>
      )}
      <Switch
        size="xs"
        label="Header row"
        checked={value('header') ?? false}
        disabled={disabled}
        onChange={(event) => change({ header: event.currentTarget.checked })}
      />
      <StyleField elements={elements} disabled={disabled} />
      <FontSelect label="Font" {...field('font')} />
      <SimpleGrid cols={2} spacing="xs">
        <NumberField label="Text size" min={4} max={400} unit="pt" {...field('fontSize')} />
        <ColorField label="Text color" {...colorField('color')} />
        <ColorField label="Line color" {...colorField('lineColor')} />
        <ColorField label="Header fill" optional {...colorField('headerFill')} />
      </SimpleGrid>
    </>
  );
}
