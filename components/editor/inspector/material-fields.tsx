'use client';

import { ActionIcon, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { MaterialElement } from '@/lib/document/page-model';
import { FontSelect } from '../fonts/font-select';
import { ColorField, LineField, NumberField } from './fields';
import classes from './inspector.module.css';
import { ScaleField } from './scale-field';
import { StyleField } from './style-field';
import { useElementFields } from './use-element-fields';

const MAX_ROWS = 30;

function RowFields({ element, disabled }: { element: MaterialElement; disabled: boolean }) {
  const { change } = useElementFields([element]);
  const { rows } = element;
  const setRow = (index: number, patch: Partial<MaterialElement['rows'][number]>) =>
    change({ rows: rows.map((row, at) => (at === index ? { ...row, ...patch } : row)) });
  return (
    <Stack gap="xs">
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids, and their fields have no local state.
        <fieldset key={index} className={classes.row} aria-label={`Row ${index + 1}`}>
          <LineField
            label="Label"
            value={row.label}
            maxLength={100}
            disabled={disabled}
            onChange={(label) => setRow(index, { label })}
          />
          <LineField
            label="Value"
            value={row.value}
            maxLength={500}
            disabled={disabled}
            onChange={(value) => setRow(index, { value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove row ${index + 1}`}
            disabled={disabled}
            onClick={() => change({ rows: rows.toSpliced(index, 1) })}
          >
            <IconTrash size={16} stroke={1.6} />
          </ActionIcon>
        </fieldset>
      ))}
      <Group justify="space-between">
        <Button
          size="compact-xs"
          variant="default"
          disabled={disabled || rows.length >= MAX_ROWS}
          onClick={() => change({ rows: [...rows, { label: '', value: '' }] })}
        >
          Add row
        </Button>
        <Text size="xs" c="dimmed">
          {rows.length} of {MAX_ROWS}
        </Text>
      </Group>
    </Stack>
  );
}

/**
 * Fields for the title, style, font, colors and text size of materials. For a single material, also shows fields for
 * its scale and rows.
 */
export function MaterialFields({ elements }: { elements: readonly MaterialElement[] }) {
  const { field, colorField, disabled } = useElementFields(elements);
  const [only] = elements;
  return (
    <>
      <LineField label="Title" maxLength={200} {...field('title')} />
      <StyleField elements={elements} disabled={disabled} />
      <FontSelect label="Font" {...field('font')} />
      <SimpleGrid cols={2} spacing="xs">
        <ColorField label="Swatch (if no image)" {...colorField('swatch')} />
        <ColorField label="Text color" {...colorField('color')} />
        <NumberField label="Text size" min={4} max={400} unit="pt" {...field('fontSize')} />
      </SimpleGrid>
      {only && elements.length === 1 && <ScaleField key={only.id} element={only} disabled={disabled} />}
      {only && elements.length === 1 && <RowFields element={only} disabled={disabled} />}
    </>
  );
}
