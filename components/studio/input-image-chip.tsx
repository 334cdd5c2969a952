'use client';

import { Button, CloseButton, Menu, Progress } from '@mantine/core';
import { IconPhotoUp } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { onDemand } from '@/components/feedback/on-demand';
import { Thumbnail } from '@/components/materials/thumbnail';
import type { InputImage } from './job-draft';
import classes from './prompt-chips.module.css';
import type { InputImageUpload } from './use-input-image-upload';

const ImagePicker = onDemand(() => import('./image-picker').then((file) => file.ImagePicker), {
  opened: false,
});

type InputImageChipProps = {
  projectId: string;
  value: InputImage | null;
  onChange: (image: InputImage | null) => void;
  upload: InputImageUpload;
};

/**
 * Shows a chip for the input image, which the user chooses from disk or from earlier uploads. An image can also be
 * dropped or pasted anywhere on the page.
 */
export function InputImageChip({ projectId, value, onChange, upload }: InputImageChipProps) {
  const [picking, setPicking] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const isSending = upload.progress !== null;
  return (
    <>
      <input
        ref={file}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/webp,image/svg+xml"
        aria-label="Choose an image file"
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? [];
          if (chosen) upload.send(chosen);
          // Without this, choosing the same file again would fire no event.
          currentTarget.value = '';
        }}
      />
      <Menu position="top-start">
        <Menu.Target>
          <Button
            ref={add}
            size="compact-sm"
            radius="xl"
            variant="default"
            leftSection={<IconPhotoUp size={14} stroke={1.8} />}
          >
            Input image
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => file.current?.click()}>Choose file</Menu.Item>
          <Menu.Item onClick={() => setPicking(true)}>Earlier uploads</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isSending ? (
        <span className={classes.material}>
          <Progress value={(upload.progress ?? 0) * 100} w={80} ms={6} aria-label="Upload" />
          <CloseButton size="xs" aria-label="Cancel upload" onClick={upload.cancel} />
        </span>
      ) : (
        value && (
          <span className={classes.material}>
            <Thumbnail src={value.url ?? ''} className={classes.swatch} />
            <span className={classes.materialName} title={value.name}>
              {value.name}
            </span>
            <CloseButton
              size="xs"
              aria-label="Remove image"
              onClick={() => {
                onChange(null);
                add.current?.focus();
              }}
            />
          </span>
        )
      )}
      <ImagePicker
        projectId={projectId}
        opened={picking}
        onClose={() => setPicking(false)}
        onPick={(image) => {
          onChange(image);
          setPicking(false);
        }}
      />
    </>
  );
}
