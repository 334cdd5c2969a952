'use client';

import { ActionIcon, Tooltip } from '@mantine/core';
import {
  IconBrush,
  IconCopy,
  IconDownload,
  IconFilePlus,
  IconPaint,
  IconPhoto,
  IconPhotoUp,
  IconStar,
  IconStarFilled,
  IconTrash,
} from '@tabler/icons-react';
import classes from './image-details.module.css';
import type { ShownVariant } from './runs';
import type { VariantActions } from './variant-grid';

type ImageActionsProps = { shown: ShownVariant; actions: VariantActions };

/** Shows the actions on an image as a row of buttons. */
export function ImageActions({ shown, actions }: ImageActionsProps) {
  const { label } = shown;
  const starred = shown.variant.starred_at !== null;
  const tools = [
    {
      name: starred ? `Remove star of image ${label}` : `Star image ${label}`,
      Icon: starred ? IconStarFilled : IconStar,
      act: actions.star,
    },
    { name: `Download image ${label}`, Icon: IconDownload, act: actions.download },
    { name: `Copy image ${label}`, Icon: IconPhoto, act: actions.copyImage },
    { name: `Copy prompt and seed of image ${label}`, Icon: IconCopy, act: actions.copy },
    { name: `Edit a region of image ${label}`, Icon: IconBrush, act: actions.editRegion },
    { name: `Use image ${label} as input image`, Icon: IconPhotoUp, act: actions.startFrom },
    { name: `Swap materials of image ${label}`, Icon: IconPaint, act: actions.swapMaterials },
    { name: `Add image ${label} to document`, Icon: IconFilePlus, act: actions.addToPage },
    { name: `Delete image ${label}`, Icon: IconTrash, act: actions.remove },
  ];
  return (
    <div className={classes.actions}>
      {tools.map(
        ({ name, Icon, act }, index) =>
          act && (
            // The key is not the name, because starring an image renames the star button. With a new key, the button
            // would lose the focus.
            // biome-ignore lint/suspicious/noArrayIndexKey: the order never changes.
            <Tooltip key={index} label={name} openDelay={400}>
              <ActionIcon variant="subtle" color="gray" aria-label={name} onClick={() => act(shown)}>
                <Icon size={18} stroke={1.6} />
              </ActionIcon>
            </Tooltip>
          ),
      )}
    </div>
  );
}
