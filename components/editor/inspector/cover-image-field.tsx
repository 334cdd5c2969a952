'use client';

import { Button, Group } from '@mantine/core';

type CoverImageFieldProps = {
  hasImage: boolean;
  disabled: boolean;
  onChoose?: () => void;
  onRemove: () => void;
};

export function CoverImageField({ hasImage, disabled, onChoose, onRemove }: CoverImageFieldProps) {
  return (
    <Group gap="xs">
      {onChoose && (
        <Button size="xs" variant="default" disabled={disabled} onClick={onChoose}>
          {hasImage ? 'Replace cover image' : 'Choose cover image'}
        </Button>
      )}
      {hasImage && (
        <Button size="xs" variant="subtle" disabled={disabled} onClick={onRemove}>
          Remove cover image
        </Button>
      )}
    </Group>
  );
}
