'use client';

import { Button, Group, Image, Modal, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { readImages } from '@/components/projects/project-calls';
import type { ProjectImage } from '@/lib/projects/schema';
import type { InputImage } from './job-draft';
import classes from './new-job-form.module.css';

type ImagePickerProps = {
  projectId: string;
  opened: boolean;
  onClose: () => void;
  onPick: (image: InputImage) => void;
};

type Page = { images: ProjectImage[]; nextCursor: string | null };

/** Dialog with the images already uploaded to the project. */
export function ImagePicker({ projectId, opened, onClose, onPick }: ImagePickerProps) {
  const [page, setPage] = useState<Page | null>(null);
  const [error, setError] = useState<unknown>(null);

  const read = useCallback(
    async (after: Page | null) => {
      try {
        const next = await readImages(projectId, after?.nextCursor ?? null);
        setPage({ ...next, images: [...(after?.images ?? []), ...next.images] });
        setError(null);
      } catch (error) {
        setError(error);
      }
    },
    [projectId],
  );
  useEffect(() => {
    if (opened) void read(null);
  }, [opened, read]);

  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title="Earlier uploads"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {error !== null && (
        <ErrorAlert title="The images could not be loaded" error={error} onRetry={() => void read(null)} />
      )}
      {page === null ? (
        error === null && <Skeleton h={120} role="status" aria-label="Loading" />
      ) : page.images.length === 0 ? (
        <Text c="dimmed">No uploads in this project yet.</Text>
      ) : (
        <ul className={classes.pick}>
          {page.images.map(({ id, path, url, fileName }) => (
            <li key={id}>
              <UnstyledButton
                className={classes.pickable}
                aria-label={`Start from ${fileName}`}
                onClick={() => onPick({ id, path, url, name: fileName })}
              >
                <Image src={url} alt="" loading="lazy" decoding="async" />
              </UnstyledButton>
              <span className={classes.pickName} title={fileName}>
                {fileName}
              </span>
            </li>
          ))}
        </ul>
      )}
      {page?.nextCursor && (
        <Group justify="center" mt="md">
          <Button variant="default" size="xs" onClick={() => void read(page)}>
            Show more
          </Button>
        </Group>
      )}
    </Modal>
  );
}
