'use client';

import { ActionIcon, Menu } from '@mantine/core';
import {
  IconCheck,
  IconDots,
  IconDownload,
  IconMessages,
  IconRestore,
  IconStar,
  IconStarFilled,
  IconTrash,
} from '@tabler/icons-react';
import { memo } from 'react';
import { RestorableFor } from '@/components/format/restorable-for';
import { Link } from '@/components/shell/link';
import { shortPrompt } from '@/components/studio/swap/swap-title';
import { VariantImage } from '@/components/studio/variant-image';
import type { GalleryImage } from '@/lib/image-gen/schema';
import classes from './gallery-grid.module.css';

import { imageLabelOf } from './shown-image';

/** The actions on an image. An optional action is undefined if the user's role or the view does not allow it. */
export type GalleryActions = {
  open?: (image: GalleryImage) => void;
  download: (image: GalleryImage) => void;
  star?: (image: GalleryImage) => void;
  remove?: (image: GalleryImage) => void;
  restore?: (image: GalleryImage) => void;
  onStale: () => void;
};

type GalleryTileProps = {
  image: GalleryImage;
  href: string;
  actions: GalleryActions;
  selected: boolean;
  /** Whether this is the one tile in the tab order. */
  isStop: boolean;
};

/**
 * Shows one gallery image. The grid handles clicks on the tile's link and select button, and all key presses outside
 * the tile's menu.
 */
export const GalleryTile = memo(function GalleryTile(props: GalleryTileProps) {
  const { image, href, actions, selected, isStop } = props;
  const { variant, deletedAt } = image;
  const prompt = shortPrompt(image.prompt);
  const { star, remove, restore } = actions;
  const label = imageLabelOf(image);
  const starred = variant.starred_at !== null;
  const tabIndex = isStop ? 0 : -1;
  return (
    <li className={classes.tile} data-selected={selected}>
      <a href={href} className={classes.link} data-id={variant.id} tabIndex={tabIndex}>
        <VariantImage
          variant={variant}
          alt={`Image ${label}: ${prompt}`}
          className={classes.picture}
          onStale={actions.onStale}
        />
      </a>
      <button
        type="button"
        className={classes.check}
        data-check={variant.id}
        tabIndex={tabIndex}
        aria-pressed={selected}
        aria-label={`Select image ${label}`}
      >
        <IconCheck size={16} stroke={2.4} />
      </button>
      <div className={classes.bar}>
        <span className={classes.prompt} title={image.prompt}>
          {deletedAt === null ? prompt : <RestorableFor until={image.restorableUntil} />}
        </span>
        {restore && (
          <ActionIcon
            variant="subtle"
            color="gray"
            tabIndex={tabIndex}
            aria-label={`Restore image ${label}`}
            onClick={() => restore(image)}
          >
            <IconRestore size={18} stroke={1.6} />
          </ActionIcon>
        )}
        {star ? (
          <ActionIcon
            variant="subtle"
            color={starred ? 'yellow' : 'gray'}
            tabIndex={tabIndex}
            aria-pressed={starred}
            aria-label={`Star image ${label}`}
            onClick={() => star(image)}
          >
            {starred ? <IconStarFilled size={18} /> : <IconStar size={18} stroke={1.6} />}
          </ActionIcon>
        ) : (
          starred && <IconStarFilled size={18} role="img" aria-label="Starred" className={classes.starred} />
        )}
        {deletedAt === null && (
          <Menu position="bottom-end" width={220}>
            <Menu.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                tabIndex={tabIndex}
                aria-label={`More for image ${label}`}
              >
                <IconDots size={18} stroke={1.6} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item component={Link} href={href} leftSection={<IconMessages size={16} />}>
                Open conversation
              </Menu.Item>
              <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => actions.download(image)}>
                Download
              </Menu.Item>
              {remove && (
                <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => remove(image)}>
                  Delete
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
    </li>
  );
});
