'use client';

import { Button, Group, Modal, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { countOf } from '@/components/format/count';
import { type DocumentImages, imageKey } from '@/lib/document/page-model';
import { type ImagePick, imagesOfPicks } from './image-pick';
import classes from './pick.module.css';
import { togglePick } from './pick-list';
import { StudioTab } from './studio-tab';
import { UploadsTab } from './uploads-tab';

/** The dialog's labels for each use of the picked images. */
const purposes = {
  insert: { title: 'Insert images', confirm: 'Insert' },
  replace: { title: 'Replace the image', confirm: 'Replace' },
  cover: { title: 'Choose a cover image', confirm: 'Use image' },
  cell: { title: 'Choose an image for the cell', confirm: 'Use image' },
};

type InsertImageDialogProps = {
  projectId: string;
  opened: boolean;
  onClose: () => void;
  /** Receives the images in the order in which they were picked, and their URLs for the renderer. */
  onPick: (picks: ImagePick[], images: DocumentImages) => void;
  /** Maximum number of images, such as 1 to fill a single frame. */
  max?: number;
  purpose?: keyof typeof purposes;
};

/** Dialog to pick project images: earlier uploads, new uploads, or images generated in the studio. */
export function InsertImageDialog({ opened, onClose, ...props }: InsertImageDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} size="xl" title={purposes[props.purpose ?? 'insert'].title}>
      {/* Mounted only while the dialog is open, so that it always opens with nothing picked. */}
      <ImageChoice {...props} onClose={onClose} />
    </Modal>
  );
}

function ImageChoice({
  projectId,
  onClose,
  onPick,
  max = 50,
  purpose = 'insert',
}: Omit<InsertImageDialogProps, 'opened'>) {
  const [picks, setPicks] = useState<ImagePick[]>([]);
  const keyOf = (pick: ImagePick) => imageKey(pick) ?? '';
  const onToggle = (pick: ImagePick) =>
    // With a maximum of one, a new pick replaces the previous one.
    setPicks((all) =>
      togglePick(max === 1 ? all.filter((one) => keyOf(one) === keyOf(pick)) : all, pick, keyOf, max),
    );
  // A new upload is picked automatically if there is room. It never replaces another pick.
  const onUploaded = (pick: ImagePick) =>
    setPicks((all) => (all.length < max ? togglePick(all, pick, keyOf, max) : all));
  const insert = () => {
    onPick(picks, imagesOfPicks(picks));
    onClose();
  };
  return (
    <Stack gap="md">
      {/* The uploads tab stays mounted so that uploads continue. */}
      <Tabs defaultValue="uploads" keepMounted={false} keepMountedMode="display-none">
        <Tabs.List>
          <Tabs.Tab value="uploads">Uploads</Tabs.Tab>
          <Tabs.Tab value="studio">From the studio</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="uploads" pt="md" keepMounted>
          <UploadsTab projectId={projectId} picks={picks} onToggle={onToggle} onUploaded={onUploaded} />
        </Tabs.Panel>
        <Tabs.Panel value="studio" pt="md">
          <StudioTab projectId={projectId} picks={picks} onToggle={onToggle} />
        </Tabs.Panel>
      </Tabs>
      <div className={classes.foot}>
        <Text size="sm" c="dimmed" role="status">
          {picks.length === 0 ? 'No images selected' : `${countOf(picks.length, 'image')} selected`}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={picks.length === 0} onClick={insert}>
            {purposes[purpose].confirm}
          </Button>
        </Group>
      </div>
    </Stack>
  );
}
