'use client';

import { UnstyledButton } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './pick.module.css';

type PickGridProps<Item> = {
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  nameOf: (item: Item) => string;
  picture: (item: Item) => ReactNode;
  isPicked: (item: Item) => boolean;
  onToggle: (item: Item) => void;
};

/** Shows pictures with names in a grid to pick from. Does not limit how many can be picked. */
export function PickGrid<Item>({ label, items, keyOf, nameOf, picture, ...picks }: PickGridProps<Item>) {
  return (
    <ul className={classes.grid} aria-label={label}>
      {items.map((item) => {
        const picked = picks.isPicked(item);
        return (
          <li key={keyOf(item)}>
            <UnstyledButton
              className={classes.item}
              aria-pressed={picked}
              aria-label={nameOf(item)}
              onClick={() => picks.onToggle(item)}
            >
              {picture(item)}
              {picked && (
                <span className={classes.check}>
                  <IconCheck size={16} stroke={2.5} />
                </span>
              )}
            </UnstyledButton>
            <span className={classes.name} title={nameOf(item)} aria-hidden="true">
              {nameOf(item)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
