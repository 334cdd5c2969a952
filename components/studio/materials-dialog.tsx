'use client';

import { Button, Group, Modal, Text } from '@mantine/core';
import { MaterialChoice } from '@/components/editor/pickers/material-choice';
import { togglePick } from '@/components/editor/pickers/pick-list';
import { countOf } from '@/components/format/count';
import { MAX_MATERIALS, type MaterialPayload } from '@/lib/image-gen/schema';
import { promptMaterial } from './prompt-materials';

type MaterialsDialogProps = {
  opened: boolean;
  /** Initial search text. */
  search: string;
  onClose: () => void;
  /** Called after the dialog has closed. */
  onClosed: () => void;
  materials: MaterialPayload[];
  onChange: (materials: MaterialPayload[]) => void;
};

const idOf = ({ id, name }: MaterialPayload) => id ?? name ?? '';

/** Shows a dialog for choosing a prompt's materials from the tray and the library. */
export function MaterialsDialog({ opened, search, onClose, onClosed, ...rest }: MaterialsDialogProps) {
  const { materials, onChange } = rest;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      size="xl"
      title="Materials for this image"
    >
      <MaterialChoice
        key={search}
        search={search}
        isPicked={({ id }) => materials.some((other) => other.id === id)}
        onToggle={(material) =>
          onChange(togglePick(materials, promptMaterial(material), idOf, MAX_MATERIALS))
        }
        foot={
          <>
            <Text size="sm" c="dimmed" role="status">
              {materials.length === 0
                ? 'No materials selected'
                : materials.length >= MAX_MATERIALS
                  ? `${MAX_MATERIALS} materials selected (maximum)`
                  : `${countOf(materials.length, 'material')} selected`}
            </Text>
            <Group gap="xs">
              <Button variant="default" disabled={materials.length === 0} onClick={() => onChange([])}>
                Clear
              </Button>
              <Button onClick={onClose}>Done</Button>
            </Group>
          </>
        }
      />
    </Modal>
  );
}
