'use client';

import { Button, Group, Image, Modal, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { useProjectImages } from '@/components/projects/use-project-images';
import classes from './image-picker.module.css';
import type { InputImage } from './job-draft';

type ImagePickerProps = {
  projectId: string;
  opened: boolean;
  onClose: () => void;
  onPick: (image: InputImage) => void;
};

/** Shows a dialog to pick one of the images already uploaded to the project. */
export function ImagePicker({ projectId, opened, onClose, onPick }: ImagePickerProps) {
  const list = useProjectImages(projectId, opened);
  return (
    <Modal opened={opened} onClose={onClose} size="lg" title="Earlier uploads">
      {list.error !== null && (
        <ErrorAlert
          title="The images could not be loaded"
          error={list.error}
          onRetry={() => void list.reload()}
        />
      )}
      {list.items === null ? (
        list.error === null && <Skeleton h={120} role="status" aria-label="Loading" />
      ) : list.items.length === 0 ? (
        <Text c="dimmed">No uploads in this project yet.</Text>
      ) : (
        <ul className={classes.pick}>
          {list.items.map(({ id, path, url, fileName }) => (
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
      {list.hasMore && (
        <Group justify="center" mt="md">
          <Button variant="default" size="xs" onClick={() => void list.loadMore()}>
            Show more
          </Button>
        </Group>
      )}
    </Modal>
  );
}
