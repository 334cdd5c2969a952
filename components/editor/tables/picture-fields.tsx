'use client';

import { Button, Group, TextInput } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useState } from 'react';
import type { TableCell } from '@/lib/document/page-model';
import { cellText, pictureOf } from '@/lib/document/table-cells';
import { NumberField } from '../inspector/fields';
import { InsertImageDialogOnDemand } from '../pickers/insert-image-dialog-on-demand';
import { useEditorContext } from '../use-editor';

/** The height of a new image in a cell, in millimeters. */
const HEIGHT = 20;

type PictureFieldsProps = { cell: TableCell; onChange: (cell: TableCell) => void };

/** Fields that add, replace or remove a cell's image, and set its height and description. */
export function PictureFields({ cell, onChange }: PictureFieldsProps) {
  const { projectId } = useEditorContext();
  const [isChoosing, setChoosing] = useState(false);
  const picture = pictureOf(cell);
  const text = cellText(cell);
  return (
    <Group gap="xs" mt="md" align="flex-end">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPhoto size={16} stroke={1.6} />}
        onClick={() => setChoosing(true)}
      >
        {picture ? 'Replace image' : 'Add image'}
      </Button>
      {picture && (
        <>
          <NumberField
            label="Image height"
            min={3}
            max={300}
            unit="mm"
            value={picture.height}
            disabled={false}
            onChange={(height) => onChange({ ...picture, height })}
          />
          <TextInput
            size="xs"
            label="Image description"
            maxLength={500}
            value={picture.alt}
            onChange={(event) => onChange({ ...picture, alt: event.currentTarget.value })}
          />
          <Button size="xs" variant="default" onClick={() => onChange(text)}>
            Remove image
          </Button>
        </>
      )}
      <InsertImageDialogOnDemand
        projectId={projectId}
        opened={isChoosing}
        onClose={() => setChoosing(false)}
        max={1}
        purpose="cell"
        onPick={([pick]) => {
          if (!pick) return;
          const { imageId, path, alt } = pick;
          const source = { imageId, path: imageId ? null : path };
          onChange({ height: HEIGHT, ...picture, ...source, text, alt: alt || (picture?.alt ?? '') });
        }}
      />
    </Group>
  );
}
