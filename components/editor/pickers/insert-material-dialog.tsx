'use client';

import { Button, Group, Modal, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { countOf } from '@/components/format/count';
import type { TrayMaterial } from '@/components/materials/tray-state';
import { useUnmountSignal } from '@/hooks/use-unmount-signal';
import type { DocumentImages } from '@/lib/document/page-model';
import type { TemplateMaterial } from '@/lib/document/templates/template';
import { imagesOfPicks } from './image-pick';
import { MaterialChoice } from './material-choice';
import { importMaterials } from './material-pick';
import { togglePick } from './pick-list';

const MAX_PICKS = 24;

type InsertMaterialDialogProps = {
  projectId: string;
  opened: boolean;
  onClose: () => void;
  /** Receives the materials in the order in which they were picked, and their image URLs for the renderer. */
  onPick: (materials: TemplateMaterial[], images: DocumentImages) => void;
};

/** Dialog to pick materials from the tray and the library. Copies the images of picked materials into the project. */
export function InsertMaterialDialog({ opened, onClose, ...props }: InsertMaterialDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} size="xl" title="Insert materials">
      <Choice {...props} onClose={onClose} />
    </Modal>
  );
}

const idOf = ({ id }: TrayMaterial) => id;

function Choice({ projectId, onClose, onPick }: Omit<InsertMaterialDialogProps, 'opened'>) {
  const [picks, setPicks] = useState<TrayMaterial[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const newSignal = useUnmountSignal();

  const insert = async () => {
    const signal = newSignal();
    setBusy(true);
    setError(null);
    try {
      const { picks: taken, note } = await importMaterials(projectId, picks, signal);
      if (signal.aborted) return;
      if (note) notifications.show({ color: 'yellow', message: note });
      const images = taken.flatMap(({ image }) =>
        image ? [{ ...image, imageId: image.id, path: null }] : [],
      );
      onPick(
        taken.map(({ material }) => material),
        imagesOfPicks(images),
      );
      onClose();
    } catch (error) {
      if (!signal.aborted) setError(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <MaterialChoice
      isPicked={(one) => picks.some(({ id }) => id === one.id)}
      onToggle={(material) => setPicks((all) => togglePick(all, material, idOf, MAX_PICKS))}
      foot={
        <>
          {error !== null && <ErrorAlert title="The materials could not be inserted" error={error} />}
          <Text size="sm" c="dimmed" role="status">
            {picks.length === 0
              ? 'No materials selected'
              : picks.length === MAX_PICKS
                ? `${MAX_PICKS} materials selected (maximum)`
                : `${countOf(picks.length, 'material')} selected`}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button disabled={picks.length === 0} loading={busy} onClick={() => void insert()}>
              Insert
            </Button>
          </Group>
        </>
      }
    />
  );
}
