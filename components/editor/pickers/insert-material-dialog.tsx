'use client';

import {
  Button,
  Group,
  Modal,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { countOf } from '@/components/format/count';
import { matchNote } from '@/components/materials/material-list';
import { Thumbnail } from '@/components/materials/thumbnail';
import { useMaterialTray } from '@/components/materials/tray-provider';
import { type TrayMaterial, trayMaterialOf } from '@/components/materials/tray-state';
import { useMaterialSearch } from '@/components/materials/use-material-search';
import type { DocumentImages } from '@/lib/document/page-model';
import type { TemplateMaterial } from '@/lib/document/templates/template';
import { type AssetType, assetTypes, MAX_QUERY_LENGTH } from '@/lib/matlib/schema';
import { imagesOfPicks } from './image-pick';
import { takeMaterials } from './material-pick';
import classes from './pick.module.css';
import { PickGrid } from './pick-grid';
import { togglePick } from './pick-list';

const MAX_PICKS = 24;
const SHOWN = 24;
const typeWords: Record<AssetType, string> = { textures: 'Textures', hdris: 'HDRIs', models: 'Models' };

type InsertMaterialDialogProps = {
  projectId: string;
  opened: boolean;
  onClose: () => void;
  /** Receives the picked materials in order, and their image URLs for the renderer. */
  onPick: (materials: TemplateMaterial[], images: DocumentImages) => void;
};

/** Dialog to pick materials from the tray and the library. Copies the images of picked materials into the project. */
export function InsertMaterialDialog({ opened, onClose, ...props }: InsertMaterialDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="xl"
      title="Insert materials"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <MaterialChoice {...props} onClose={onClose} />
    </Modal>
  );
}

const idOf = ({ id }: TrayMaterial) => id;

function MaterialChoice({ projectId, onClose, onPick }: Omit<InsertMaterialDialogProps, 'opened'>) {
  const tray = useMaterialTray();
  const [picks, setPicks] = useState<TrayMaterial[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [typed, setTyped] = useState('');
  const [type, setType] = useState<AssetType>('textures');
  const [words] = useDebouncedValue(typed.trim(), 250);
  const taking = useRef<AbortController | null>(null);
  useEffect(() => () => taking.current?.abort(), []);
  const search = useMaterialSearch(String(new URLSearchParams({ q: words, type })));

  const onToggle = (material: TrayMaterial) => setPicks((all) => togglePick(all, material, idOf, MAX_PICKS));
  const grid = { isPicked: (one: TrayMaterial) => picks.some(({ id }) => id === one.id), onToggle };
  const pictureOf = ({ thumbnailUrl }: TrayMaterial) => <Thumbnail src={thumbnailUrl} />;
  const insert = async () => {
    const controller = new AbortController();
    const { signal } = controller;
    taking.current = controller;
    setBusy(true);
    setError(null);
    try {
      const { picks: taken, note } = await takeMaterials(projectId, picks, signal);
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

  const note = search.response && matchNote(search.response);
  return (
    <Stack gap="md">
      {tray.materials.length > 0 && (
        <Stack component="section" gap="xs" aria-label="In your tray">
          <Title order={3} size="h5">
            In your tray
          </Title>
          <PickGrid
            label="Materials in the tray"
            items={tray.materials}
            keyOf={idOf}
            nameOf={({ name }) => name}
            picture={pictureOf}
            {...grid}
          />
        </Stack>
      )}
      <Stack component="section" gap="xs" aria-label="Material library">
        <Group gap="sm">
          <TextInput
            className={classes.words}
            type="search"
            aria-label="Search the material library"
            placeholder="Oak, terrazzo, linen …"
            leftSection={<IconSearch size={16} stroke={1.6} />}
            maxLength={MAX_QUERY_LENGTH}
            value={typed}
            data-autofocus
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <SegmentedControl
            size="xs"
            aria-label="Type"
            value={type}
            onChange={(value) => setType(assetTypes.find((known) => known === value) ?? 'textures')}
            data={assetTypes.map((value) => ({ value, label: typeWords[value] }))}
          />
        </Group>
        {search.failure && (
          <ErrorAlert
            title="The library could not be loaded"
            error={search.failure.error}
            onRetry={search.retry}
          />
        )}
        {note && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
        {search.response === null ? (
          !search.failure && <Skeleton h={120} role="status" aria-label="Loading" />
        ) : search.items.length === 0 ? (
          <Text c="dimmed">No materials match.</Text>
        ) : (
          <PickGrid
            label="Library materials"
            items={search.items.slice(0, SHOWN).map(trayMaterialOf)}
            keyOf={idOf}
            nameOf={({ name }) => name}
            picture={pictureOf}
            {...grid}
          />
        )}
        {search.response && (
          <Text size="xs" c="dimmed">
            {search.response.source.credit}
          </Text>
        )}
      </Stack>
      {error !== null && <ErrorAlert title="The materials could not be inserted" error={error} />}
      <div className={classes.foot}>
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
      </div>
    </Stack>
  );
}
