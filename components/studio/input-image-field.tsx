'use client';

import { Button, CloseButton, Group, Image, Input, Progress, Text } from '@mantine/core';
import { IconPhotoUp } from '@tabler/icons-react';
import { useState } from 'react';
import { onDemand } from '@/components/feedback/on-demand';
import { FileZone } from '@/components/files/file-zone';
import { formatBytes } from '@/components/format/bytes';
import { MAX_IMAGE_BYTES } from '@/lib/projects/schema';
import type { InputImage } from './job-draft';
import classes from './new-job-form.module.css';
import type { InputImageUpload } from './use-input-image-upload';

const ImagePicker = onDemand(() => import('./image-picker').then((file) => file.ImagePicker), {
  opened: false,
});

type InputImageFieldProps = {
  projectId: string;
  value: InputImage | null;
  onChange: (image: InputImage | null) => void;
  upload: InputImageUpload;
};

/** Field for the input image, which can be dropped, pasted, or chosen from disk or from earlier uploads. */
export function InputImageField({ projectId, value, onChange, upload }: InputImageFieldProps) {
  const [picking, setPicking] = useState(false);
  const { progress, error } = upload;

  return (
    <Input.Wrapper
      label="Start from an image"
      labelElement="div"
      labelProps={{ mb: 4 }}
      error={error}
      errorProps={{ role: 'alert', mt: 'xs' }}
    >
      <FileZone
        onFiles={([file]) => file && upload.send(file)}
        label="Start from an image"
        inputLabel="Choose an image file"
        accept="image/png,image/jpeg,image/webp"
      >
        {(openFiles) =>
          value && progress === null ? (
            <>
              <Image src={value.url} alt="" className={classes.chosen} w={80} h={80} />
              <div className={classes.words}>
                <Text size="sm" fw={500}>
                  {value.name}
                </Text>
                <Text size="sm" c="dimmed">
                  Drop or paste to replace
                </Text>
              </div>
              <CloseButton aria-label="Remove image" onClick={() => onChange(null)} />
            </>
          ) : progress !== null ? (
            <>
              <div className={classes.words}>
                <Text size="sm">Uploading …</Text>
                <Progress value={progress * 100} aria-label="Upload" mt={6} />
              </div>
              <Button size="xs" variant="default" onClick={upload.cancel}>
                Cancel
              </Button>
            </>
          ) : (
            <>
              <IconPhotoUp size={28} stroke={1.3} aria-hidden="true" />
              <Text size="sm" c="dimmed" className={classes.words}>
                Drop or paste a PNG, JPEG or WebP, up to {formatBytes(MAX_IMAGE_BYTES)}
              </Text>
              <Group gap="xs">
                <Button size="xs" variant="default" onClick={openFiles}>
                  Choose file
                </Button>
                <Button size="xs" variant="default" onClick={() => setPicking(true)}>
                  Earlier uploads
                </Button>
              </Group>
            </>
          )
        }
      </FileZone>
      <ImagePicker
        projectId={projectId}
        opened={picking}
        onClose={() => setPicking(false)}
        onPick={(image) => {
          onChange(image);
          setPicking(false);
        }}
      />
    </Input.Wrapper>
  );
}
