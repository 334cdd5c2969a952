'use client';

import { Button, CloseButton } from '@mantine/core';
import { IconBrush } from '@tabler/icons-react';
import type { Ref } from 'react';

type RegionButtonProps = {
  ref?: Ref<HTMLButtonElement>;
  hasRegion: boolean;
  /** Opens the dialog to paint the region. */
  onEdit: () => void;
  onRemove: () => void;
};

/**
 * Shows a button that opens the dialog to paint a region and, if a region is painted, a button that removes the region.
 */
export function RegionButton({ ref, hasRegion, onEdit, onRemove }: RegionButtonProps) {
  return (
    <>
      <Button
        ref={ref}
        size="compact-sm"
        radius="xl"
        variant={hasRegion ? 'light' : 'default'}
        leftSection={<IconBrush size={14} stroke={1.8} />}
        aria-haspopup="dialog"
        onClick={onEdit}
      >
        {hasRegion ? 'Change region' : 'Edit a region'}
      </Button>
      {hasRegion && <CloseButton size="sm" aria-label="Remove region" onClick={onRemove} />}
    </>
  );
}
