'use client';

import { Button, CloseButton, Group, Image, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconPhotoUp } from '@tabler/icons-react';
import { useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { ShowMore } from '@/components/feedback/show-more';
import { DropZone } from '@/components/files/drop-zone';
import { formatBytes } from '@/components/format/bytes';
import { useImageUploads } from '@/components/projects/use-image-uploads';
import { useProjectImages } from '@/components/projects/use-project-images';
import { imageViewPath } from '@/lib/document/image-views';
import { imageKey } from '@/lib/document/page-model';
import { imageTypes, MAX_IMAGE_BYTES, type ProjectImage } from '@/lib/projects/schema';
import { type ImagePick, pickOfImage } from './image-pick';
import classes from './pick.module.css';
import { PickGrid } from './pick-grid';

type UploadsTabProps = {
  projectId: string;
  picks: readonly ImagePick[];
  onToggle: (pick: ImagePick) => void;
  /** Receives each new upload. */
  onUploaded: (pick: ImagePick) => void;
};

/** Lists the project's uploaded images. Uploads files that are chosen, dropped on the drop zone, or pasted anywhere. */
export function UploadsTab({ projectId, picks, onToggle, onUploaded }: UploadsTabProps) {
  const list = useProjectImages(projectId);
  // Keep new uploads here, because `list` may lack images that were uploaded while it was being fetched.
  const [uploaded, setUploaded] = useState<ProjectImage[]>([]);
  const others = list.items?.filter(({ id }) => !uploaded.some((one) => one.id === id)) ?? [];
  const images = [...uploaded, ...others];

  const { pending, send, retry, drop } = useImageUploads(projectId, (image) => {
    setUploaded((all) => [image, ...all]);
    onUploaded(pickOfImage(image));
  });
  useWindowEvent('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    send(files);
  });

  const isPicked = (pick: ImagePick) => picks.some((other) => imageKey(other) === imageKey(pick));
  return (
    <Stack gap="md">
      <DropZone
        onDrop={send}
        label="Upload images"
        inputLabel="Choose image files"
        accept={imageTypes.join()}
      >
        {(openFiles) => (
          <>
            <IconPhotoUp size={28} stroke={1.3} aria-hidden="true" />
            <Text size="sm" c="dimmed" className={classes.words}>
              Drop or paste PNG, JPEG, WebP or SVG images, up to {formatBytes(MAX_IMAGE_BYTES)} each.
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
      {list.error !== null && (
        <ErrorAlert
          title="The images could not be loaded"
          error={list.error}
          onRetry={() => void list.reload()}
        />
      )}
      {images.length === 0 && list.items === null ? (
        list.error === null && <Skeleton h={120} role="status" aria-label="Loading" />
      ) : images.length === 0 ? (
        <Text c="dimmed">No uploads in this project yet.</Text>
      ) : (
        <PickGrid
          label="Uploaded images"
          items={images.map(pickOfImage)}
          keyOf={(pick) => imageKey(pick) ?? ''}
          nameOf={({ label }) => label}
          picture={(pick) => (
            <Image
              src={imageViewPath(projectId, imageKey(pick) ?? '', 320)}
              alt=""
              loading="lazy"
              decoding="async"
              radius={0}
            />
          )}
          isPicked={isPicked}
          onToggle={onToggle}
        />
      )}
      <ShowMore list={list} size="xs" />
    </Stack>
  );
}
