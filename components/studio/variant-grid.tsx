'use client';

import { ActionIcon, Button, Menu, UnstyledButton } from '@mantine/core';
import {
  IconBrush,
  IconColumns2,
  IconCopy,
  IconDots,
  IconDownload,
  IconFilePlus,
  IconPaint,
  IconPhoto,
  IconPhotoUp,
  IconStar,
  IconStarFilled,
  IconTablePlus,
  IconTrash,
  IconWand,
  IconZoomIn,
} from '@tabler/icons-react';
import type { ShownVariant } from './runs';
import classes from './variant-grid.module.css';
import { VariantImage } from './variant-image';

/** Actions on a variant. The optional actions are undefined for viewers. */
export type VariantActions = {
  open: (shown: ShownVariant) => void;
  /** Scrolls to an image of the conversation and, for editors, chooses it as the one to refine. */
  show: (shown: ShownVariant) => void;
  compare: (shown: ShownVariant) => void;
  download: (shown: ShownVariant) => void;
  copy: (shown: ShownVariant) => void;
  copyImage: (shown: ShownVariant) => void;
  refine?: (shown: ShownVariant) => void;
  /** Opens the dialog to paint the region to change. */
  editRegion?: (shown: ShownVariant) => void;
  startFrom?: (shown: ShownVariant) => void;
  swapMaterials?: (shown: ShownVariant) => void;
  addToPage?: (shown: ShownVariant) => void;
  /**
   * Like `addToPage`, but the option to add the materials as a schedule is already selected. Undefined for viewers.
   * Also undefined if neither the job nor any of its prompts has materials.
   */
  addWithSchedule?: (shown: ShownVariant) => void;
  /** Adds or removes the star. */
  star?: (shown: ShownVariant) => void;
  remove?: (shown: ShownVariant) => void;
  onStale: () => void;
};

type VariantGridProps = {
  variants: ShownVariant[];
  actions: VariantActions;
  /** Key of the variant that the user has chosen to refine; null if none was chosen. */
  sourceKey: string | null;
  /** Key of the first of two variants to compare; null until it is chosen. */
  compareKey: string | null;
  /** How many images are still expected, and their aspect ratio. */
  expected: { count: number; aspect: number };
};

/** Shows the variants of one prompt, followed by placeholders for those still expected. */
export function VariantGrid({ variants, actions, sourceKey, compareKey, expected }: VariantGridProps) {
  const placeholders = Array.from({ length: expected.count }, (_, index) => index);
  return (
    <div className={classes.frame}>
      <ul className={classes.grid} aria-label="Images">
        {variants.map((shown) => (
          <VariantTile
            key={shown.key}
            shown={shown}
            actions={actions}
            isSource={shown.key === sourceKey}
            compareKey={compareKey}
          />
        ))}
        {placeholders.map((placeholder) => (
          <li key={placeholder} aria-hidden="true">
            <div className={classes.place} style={{ aspectRatio: expected.aspect }} />
          </li>
        ))}
      </ul>
    </div>
  );
}

type VariantTileProps = {
  shown: ShownVariant;
  actions: VariantActions;
  isSource: boolean;
  compareKey: string | null;
};

function VariantTile({ shown, actions, isSource, compareKey }: VariantTileProps) {
  const { label, variant } = shown;
  const { refine, editRegion, startFrom, swapMaterials, addToPage, addWithSchedule, star, remove } = actions;
  const starred = variant.starred_at !== null;
  const picking = compareKey !== null && compareKey !== shown.key;
  return (
    <li>
      <UnstyledButton
        className={classes.open}
        data-image={shown.key}
        data-marked={isSource || shown.key === compareKey}
        aria-label={picking ? `Compare with image ${label}` : `Open image ${label}`}
        onClick={() => (picking ? actions.compare(shown) : actions.open(shown))}
      >
        <VariantImage fluid variant={variant} alt="" onStale={actions.onStale} />
      </UnstyledButton>
      <div className={classes.bar}>
        <span className={classes.label}>
          {label}
          {starred && <IconStarFilled size={14} role="img" aria-label="Starred" className={classes.star} />}
        </span>
        {refine && (
          <Button
            size="compact-sm"
            variant={isSource ? 'filled' : 'light'}
            leftSection={<IconWand size={14} stroke={1.8} />}
            aria-label={`Refine image ${label}`}
            aria-pressed={isSource}
            onClick={() => refine(shown)}
          >
            Refine
          </Button>
        )}
        <Menu position="bottom-end" width={250}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`More for image ${label}`}>
              <IconDots size={18} stroke={1.6} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconZoomIn size={16} />} onClick={() => actions.open(shown)}>
              Open
            </Menu.Item>
            <Menu.Item leftSection={<IconColumns2 size={16} />} onClick={() => actions.compare(shown)}>
              {picking ? 'Compare these' : 'Compare …'}
            </Menu.Item>
            <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => actions.download(shown)}>
              Download
            </Menu.Item>
            <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => actions.copy(shown)}>
              Copy prompt and seed
            </Menu.Item>
            <Menu.Item leftSection={<IconPhoto size={16} />} onClick={() => actions.copyImage(shown)}>
              Copy image
            </Menu.Item>
            {editRegion && (
              <Menu.Item leftSection={<IconBrush size={16} />} onClick={() => editRegion(shown)}>
                Edit a region
              </Menu.Item>
            )}
            {startFrom && (
              <Menu.Item leftSection={<IconPhotoUp size={16} />} onClick={() => startFrom(shown)}>
                Use as input image
              </Menu.Item>
            )}
            {swapMaterials && (
              <Menu.Item leftSection={<IconPaint size={16} />} onClick={() => swapMaterials(shown)}>
                Swap materials …
              </Menu.Item>
            )}
            {addToPage && (
              <Menu.Item leftSection={<IconFilePlus size={16} />} onClick={() => addToPage(shown)}>
                Add to document
              </Menu.Item>
            )}
            {addWithSchedule && (
              <Menu.Item leftSection={<IconTablePlus size={16} />} onClick={() => addWithSchedule(shown)}>
                Add to document with schedule
              </Menu.Item>
            )}
            {star && (
              <Menu.Item leftSection={<IconStar size={16} />} onClick={() => star(shown)}>
                {starred ? 'Remove star' : 'Star'}
              </Menu.Item>
            )}
            {remove && (
              <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => remove(shown)}>
                Delete
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </div>
    </li>
  );
}
