'use client';

import { Button, Group, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { FilePicker } from '@/components/files/file-picker';
import { countOf } from '@/components/format/count';
import type { TableElement } from '@/lib/document/page-model';
import { tableFlows } from '@/lib/document/table-flow';
import { FontSelect } from '../fonts/font-select';
import { fillTableFromFile } from '../tables/add-table-file';
import { CELL_FILES } from '../tables/cells-in-file';
import { newFlow, noFlow } from '../tables/flow-table';
import { useEditorContext } from '../use-editor';
import { ColorField, NumberField } from './fields';
import { StyleField } from './style-field';
import { TableDialog } from './table-dialog';
import { useElementFields } from './use-element-fields';

/** Shown in place of the fields if a selected table continues another one. */
function ContinuedFields({ elements }: { elements: readonly TableElement[] }) {
  const { store } = useEditorContext();
  const [only] = elements;
  const open = () => {
    const { pages } = store.get().document;
    const flow = tableFlows(pages).flows.find(({ id }) => id === only?.continues);
    if (!flow) return;
    const { pageId, element } = flow.head;
    store.dispatch({ type: 'page-opened', pageId, selected: [element.id] });
  };
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="xs" c="dimmed">
        This is a part of a table that starts on an earlier page.
      </Text>
      {elements.length === 1 && (
        <Button size="xs" variant="default" onClick={open}>
          Go to the start of the table
        </Button>
      )}
    </Stack>
  );
}

/**
 * Fields for the header row and the styles of tables. For a single table, also shows buttons that edit or replace its
 * cells, and a switch that lets it continue on the next pages.
 */
export function TableFields({ elements }: { elements: readonly TableElement[] }) {
  const { value, field, colorField, change, disabled } = useElementFields(elements);
  const { store } = useEditorContext();
  const [opened, setOpened] = useState(false);
  const [only] = elements;
  if (elements.some(({ continues }) => continues !== undefined))
    return <ContinuedFields elements={elements} />;
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
          <FilePicker
            accept={CELL_FILES}
            disabled={disabled}
            onFiles={([file]) => file && void fillTableFromFile(store, only.id, file)}
          >
            {(props) => (
              <Button {...props} size="xs" variant="default" disabled={disabled}>
                Replace with CSV file
              </Button>
            )}
          </FilePicker>
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
      {only && elements.length === 1 && (
        <Switch
          size="xs"
          label="Continue on the next pages"
          checked={only.flowId !== undefined}
          disabled={disabled}
          onChange={(event) => change(event.currentTarget.checked ? newFlow() : noFlow)}
        />
      )}
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
