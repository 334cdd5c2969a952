'use client';

import { Button, Text } from '@mantine/core';
import {
  IconDownload,
  IconFilePlus,
  IconRestore,
  IconShare,
  IconStar,
  IconStarOff,
  IconTablePlus,
  IconTrash,
} from '@tabler/icons-react';
import { countOf } from '@/components/format/count';
import classes from './gallery.module.css';

/**
 * The actions on the selected images. An optional action is undefined if the user's role, the view or the number of
 * selected images does not allow it.
 */
export type SelectionActions = {
  star?: () => void;
  unstar?: () => void;
  remove?: () => void;
  restore?: () => void;
  download?: () => void;
  addToPage?: () => void;
  /**
   * Defined only if one image is selected. Adds the image to a document, by default on a new page with a schedule of
   * the image's materials.
   */
  addWithSchedule?: () => void;
  share?: () => void;
  clear: () => void;
};

type SelectionBarProps = {
  count: number;
  /** If more images than this are selected, only `clear` is available. Some actions accept even fewer images. */
  limit: number;
  actions: SelectionActions;
};

/** Shows the number of selected images and the actions on all of them. */
export function ImageSelectionBar({ count, limit, actions }: SelectionBarProps) {
  const { star, unstar, remove, restore, download, addToPage, addWithSchedule, share, clear } = actions;
  return (
    <section className={classes.chosen} aria-label="Selected images">
      <Text size="sm" fw={600} role="status">
        {countOf(count, 'image')} selected{count > limit && `, at most ${limit} at once`}
      </Text>
      <Button size="xs" variant="subtle" color="gray" onClick={clear}>
        Clear selection
      </Button>
      <div className={classes.actions}>
        {star && (
          <Button size="xs" variant="default" leftSection={<IconStar size={14} />} onClick={star}>
            Star
          </Button>
        )}
        {unstar && (
          <Button size="xs" variant="default" leftSection={<IconStarOff size={14} />} onClick={unstar}>
            Remove star
          </Button>
        )}
        {download && (
          <Button size="xs" variant="default" leftSection={<IconDownload size={14} />} onClick={download}>
            Download
          </Button>
        )}
        {addToPage && (
          <Button size="xs" variant="default" leftSection={<IconFilePlus size={14} />} onClick={addToPage}>
            Add to document
          </Button>
        )}
        {addWithSchedule && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTablePlus size={14} />}
            onClick={addWithSchedule}
          >
            Add to document with schedule
          </Button>
        )}
        {share && (
          <Button size="xs" variant="default" leftSection={<IconShare size={14} />} onClick={share}>
            Share
          </Button>
        )}
        {restore && (
          <Button size="xs" variant="default" leftSection={<IconRestore size={14} />} onClick={restore}>
            Restore
          </Button>
        )}
        {remove && (
          <Button size="xs" variant="default" leftSection={<IconTrash size={14} />} onClick={remove}>
            Delete
          </Button>
        )}
      </div>
    </section>
  );
}
