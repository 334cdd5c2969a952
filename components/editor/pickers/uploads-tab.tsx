'use client';

import { Button, CloseButton, Group, Image, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { IconPhotoUp } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { DropZone } from '@/components/files/drop-zone';
import { formatBytes } from '@/components/format/bytes';
import { readImages } from '@/components/projects/project-calls';
import { useImageUploads } from '@/components/projects/use-image-uploads';
import { imageKey } from '@/lib/document/page-model';
import { MAX_IMAGE_BYTES, type ProjectImage } from '@/lib/projects/schema';
import { type ImagePick, pickOfImage } from './image-pick';
import classes from './pick.module.css';
import { PickGrid } from './pick-grid';

type Page = { images: ProjectImage[]; nextCursor: string | null };

type UploadsTabProps = {
  projectId: string;
  picks: readonly ImagePick[];
  onToggle: (pick: ImagePick) => void;
};

/** The uploaded images of the project, with a zone that uploads more by drop, paste or file picker and picks them. */
export function UploadsTab({ projectId, picks, onToggle }: UploadsTabProps) {
  const [page, setPage] = useState<Page | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [reading, setReading] = useState(false);

  const read = useCallback(
    async (after: Page | null) => {
      setReading(true);
      try {
        const { images, nextCursor } = await readImages(projectId, after?.nextCursor ?? null);
        // The page may or may not contain images uploaded while it was loading.
        setPage((now) => {
          const known = new Set(now?.images.map(({ id }) => id));
          return {
            nextCursor,
            images: [...(now?.images ?? []), ...images.filter(({ id }) => !known.has(id))],
          };
        });
        setError(null);
      } catch (error) {
        setError(error);
      } finally {
        setReading(false);
      }
    },
    [projectId],
  );
  useEffect(() => void read(null), [read]);

  const { pending, send, retry, drop } = useImageUploads(projectId, (image) => {
    setPage((page) => ({ nextCursor: null, ...page, images: [image, ...(page?.images ?? [])] }));
    onToggle(pickOfImage(image));
  });
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      send(files);
    };
    window.addEventListener('paste', onPaste);
    return () => window.removeEventListener('paste', onPaste);
  }, [send]);

  const isPicked = (pick: ImagePick) => picks.some((other) => imageKey(other) === imageKey(pick));
  return (
    <Stack gap="md">
      <DropZone
        onDrop={send}
        label="Upload images"
        inputLabel="Choose image files"
        accept="image/png,image/jpeg,image/webp"
      >
        {(openFiles) => (
          <>
            <IconPhotoUp size={28} stroke={1.3} aria-hidden="true" />
            <Text size="sm" c="dimmed" className={classes.words}>
              Drop or paste PNG, JPEG or WebP images, up to {formatBytes(MAX_IMAGE_BYTES)} each.
            </Text>
            <Button size="xs" variant="default" onClick={openFiles}>
              Choose files
            </Button>
          </>
        )}
      </DropZone>
      {pending.map(({ id, file, progress, error, canRetry }) => (
        <Group key={id} gap="sm" wrap="nowrap">
          <div className={classes.words}>
            <Text size="sm" c={error ? 'red' : undefined} role={error ? 'alert' : undefined}>
              {error ?? `Uploading ${file.name} …`}
            </Text>
            {!error && <Progress value={progress * 100} aria-label={`Upload of ${file.name}`} mt={4} />}
          </div>
          {canRetry && error && (
            <Button size="xs" variant="default" onClick={() => retry(id)}>
              Try again
            </Button>
          )}
          <CloseButton
            aria-label={error ? `Dismiss ${file.name}` : `Cancel upload of ${file.name}`}
            onClick={() => drop(id)}
          />
        </Group>
      ))}
      {error !== null && (
        <ErrorAlert title="The images could not be loaded" error={error} onRetry={() => void read(page)} />
      )}
      {page === null ? (
        error === null && <Skeleton h={120} role="status" aria-label="Loading" />
      ) : page.images.length === 0 ? (
        <Text c="dimmed">No uploads in this project yet.</Text>
      ) : (
        <PickGrid
          label="Uploaded images"
          items={page.images.map(pickOfImage)}
          keyOf={(pick) => imageKey(pick) ?? ''}
          nameOf={({ label }) => label}
          picture={({ thumbUrl }) => (
            <Image src={thumbUrl} alt="" loading="lazy" decoding="async" radius={0} />
          )}
          isPicked={isPicked}
          onToggle={onToggle}
        />
      )}
      {page?.nextCursor && (
        <Group justify="center">
          <Button variant="default" size="xs" loading={reading} onClick={() => void read(page)}>
            Show more
          </Button>
        </Group>
      )}
    </Stack>
  );
}
