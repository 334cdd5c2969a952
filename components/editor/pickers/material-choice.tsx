'use client';

import { Button, Group, SegmentedControl, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { typeLabels, typeOrder } from '@/components/materials/material-labels';
import { matchNote } from '@/components/materials/material-list';
import { Thumbnail } from '@/components/materials/thumbnail';
import { useMaterialTray } from '@/components/materials/tray-provider';
import { type TrayMaterial, trayMaterialOf } from '@/components/materials/tray-state';
import { useMaterialSearch } from '@/components/materials/use-material-search';
import { type AssetType, assetTypes, MAX_QUERY_LENGTH } from '@/lib/matlib/schema';
import classes from './pick.module.css';
import { PickGrid } from './pick-grid';

type MaterialChoiceProps = {
  isPicked: (material: TrayMaterial) => boolean;
  onToggle: (material: TrayMaterial) => void;
  /** Shown below the list, for example the number of picked materials and the dialog's buttons. */
  foot: ReactNode;
  /** Whether to leave out HDRIs and models. */
  texturesOnly?: boolean;
  /** The initial search text. */
  search?: string;
  /** Whether the search field gets the focus when the dialog opens. */
  autoFocus?: boolean;
};

/** Lets the user pick materials from the tray and the library. Does not limit how many can be picked. */
export function MaterialChoice({
  isPicked,
  onToggle,
  foot,
  texturesOnly = false,
  search: start = '',
  autoFocus = true,
}: MaterialChoiceProps) {
  const tray = useMaterialTray();
  const inTray = tray.materials.filter((material) => !texturesOnly || material.type === 'textures');
  const [typed, setTyped] = useState(start);
  const [type, setType] = useState<AssetType>('textures');
  const [query] = useDebouncedValue(typed.trim(), 250);
  const search = useMaterialSearch(String(new URLSearchParams({ q: query, type })), null);
  const grid = {
    isPicked,
    onToggle,
    keyOf: ({ id }: TrayMaterial) => id,
    nameOf: ({ name }: TrayMaterial) => name,
    picture: ({ thumbnailUrl }: TrayMaterial) => <Thumbnail src={thumbnailUrl} />,
  };
  const note = search.response && matchNote(search.response);
  return (
    <Stack gap="md">
      {inTray.length > 0 && (
        <Stack component="section" gap="xs" aria-label="In your tray">
          <Title order={3} size="h5">
            In your tray
          </Title>
          <PickGrid label="Materials in the tray" items={inTray} {...grid} />
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
            data-autofocus={autoFocus || undefined}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              // The results update while the user types, so Enter must not submit a surrounding form.
              if (event.key === 'Enter') event.preventDefault();
            }}
          />
          {!texturesOnly && (
            <SegmentedControl
              size="xs"
              aria-label="Type"
              value={type}
              onChange={(value) => setType(assetTypes.find((known) => known === value) ?? 'textures')}
              data={typeOrder.map((value) => ({ value, label: typeLabels[value] }))}
            />
          )}
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
          <PickGrid label="Library materials" items={search.items.map(trayMaterialOf)} {...grid} />
        )}
        {search.nextOffset !== null && (
          <Group justify="center">
            <Button variant="default" size="xs" loading={search.loading === 'more'} onClick={search.loadMore}>
              Show more
            </Button>
          </Group>
        )}
        {search.response && (
          <Text size="xs" c="dimmed">
            {search.response.source.credit}
          </Text>
        )}
      </Stack>
      <div className={classes.foot}>{foot}</div>
    </Stack>
  );
}
