'use client';

import { Alert, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconCheck, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { ApiError } from '@/lib/http/client';
import type { SearchItem } from '@/lib/matlib/schema';
import { readMaterialFiles, readMaterialInfo } from './material-calls';
import classes from './material-detail.module.css';
import { MaterialDownloads } from './material-downloads';
import { MaterialFacts } from './material-facts';
import { thumbnailAt } from './material-files';
import { typeOne } from './material-labels';
import { MaterialTags } from './material-tags';
import type { MaterialUrl } from './material-url';
import { Thumbnail } from './thumbnail';
import { useMaterialTray } from './tray-provider';
import { isPicked, TRAY_SIZE, trayMaterialOf } from './tray-state';

const LARGE_PX = 1_024;

type MaterialDetailProps = { id: string; known: SearchItem | null; url: MaterialUrl };

/**
 * Shows the details and files of a material. The `p` key adds the material to the tray or removes it, as in the grid.
 */
export function MaterialDetail({ id, known, url }: MaterialDetailProps) {
  const info = useQuery({
    queryKey: ['material-info', id],
    queryFn: ({ signal }) => readMaterialInfo(id, signal),
  });
  const files = useQuery({
    queryKey: ['material-files', id],
    queryFn: ({ signal }) => readMaterialFiles(id, signal),
  });
  const tray = useMaterialTray();
  const item = info.data ?? known;
  const picked = isPicked(tray, id);
  const toggle = () => {
    if (item) tray.toggle(trayMaterialOf(item));
  };
  useHotkeys([['p', (event) => !event.repeat && toggle()]]);

  if (info.error instanceof ApiError && info.error.status === 404) {
    return (
      <Alert variant="outline" title="Material not found">
        The library does not have “{id}”. It may have been removed.
      </Alert>
    );
  }
  return (
    <Stack gap="lg">
      {item ? (
        <>
          <Thumbnail
            src={thumbnailAt(item.thumbnail_url, LARGE_PX)}
            color={item.color}
            lazy={false}
            className={classes.picture}
          />
          <div>
            <Text size="sm" c="dimmed">
              {typeOne[item.type]}
            </Text>
            <Title order={2}>{item.name}</Title>
            {item.description && <Text mt="xs">{item.description}</Text>}
          </div>
          <Group gap="sm">
            <Button
              variant={picked ? 'default' : 'filled'}
              leftSection={picked ? <IconCheck size={16} /> : <IconPlus size={16} />}
              aria-pressed={picked}
              aria-keyshortcuts="P"
              onClick={toggle}
            >
              {picked ? 'In tray' : 'Add to tray'}
            </Button>
            {tray.refused && (
              <Text size="sm" c="red" role="alert">
                Tray is full ({TRAY_SIZE}). Remove one first.
              </Text>
            )}
          </Group>
        </>
      ) : (
        info.error === null && <Skeleton className={classes.picture} role="status" aria-label="Loading" />
      )}
      {info.error !== null && (
        <ErrorAlert
          title="The material could not be loaded"
          error={info.error}
          onRetry={() => void info.refetch()}
        />
      )}
      {info.data ? <MaterialFacts info={info.data} /> : info.error === null && <Skeleton height={160} />}
      {item && item.tags.length > 0 && <MaterialTags item={item} url={url} />}
      {files.error !== null ? (
        <ErrorAlert
          title="The files could not be loaded"
          error={files.error}
          onRetry={() => void files.refetch()}
        />
      ) : files.data ? (
        <MaterialDownloads files={files.data} />
      ) : (
        <Skeleton height={240} role="status" aria-label="Loading files" />
      )}
    </Stack>
  );
}
