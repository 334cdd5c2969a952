'use client';

import { Button, Text } from '@mantine/core';
import { IconRestore, IconStar, IconStarOff, IconTrash } from '@tabler/icons-react';
import { countOf } from '@/components/format/count';
import classes from './gallery.module.css';

/** What can be done with the selected images; undefined when the user or the view does not allow it. */
export type SelectionActions = {
  star?: () => void;
  unstar?: () => void;
  remove?: () => void;
  restore?: () => void;
  clear: () => void;
};

/** The number of selected images, and the actions on all of them. */
export function SelectionBar({ count, actions }: { count: number; actions: SelectionActions }) {
  const { star, unstar, remove, restore, clear } = actions;
  return (
    <section className={classes.chosen} aria-label="Selected images">
      <Text size="sm" fw={600} role="status">
        {countOf(count, 'image')} selected
      </Text>
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
      <Button size="xs" variant="subtle" color="gray" onClick={clear}>
        Clear selection
      </Button>
    </section>
  );
}
