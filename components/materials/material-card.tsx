'use client';

import { IconCheck, IconPlus } from '@tabler/icons-react';
import { memo } from 'react';
import type { SearchItem } from '@/lib/matlib/schema';
import classes from './material-grid.module.css';
import { Thumbnail } from './thumbnail';

type MaterialCardProps = {
  item: SearchItem;
  href: string;
  lazy: boolean;
  picked: boolean;
  /** Whether this is the one card in the tab order. */
  isStop: boolean;
};

/** Shows a material in the grid. The grid handles the events of all cards, to keep a thousand cards cheap. */
export const MaterialCard = memo(function MaterialCard({
  item,
  href,
  lazy,
  picked,
  isStop,
}: MaterialCardProps) {
  const tabIndex = isStop ? 0 : -1;
  return (
    <li className={classes.card} data-picked={picked}>
      <a
        href={href}
        className={classes.link}
        data-id={item.id}
        tabIndex={tabIndex}
        aria-keyshortcuts="P Space"
      >
        <Thumbnail src={item.thumbnail_url} color={item.color} lazy={lazy} className={classes.picture} />
        <span className={classes.name}>{item.name}</span>
      </a>
      <button
        type="button"
        className={classes.pick}
        data-pick={item.id}
        tabIndex={tabIndex}
        aria-pressed={picked}
        aria-label={`Add ${item.name} to tray`}
      >
        {picked ? <IconCheck size={18} stroke={2.2} /> : <IconPlus size={18} stroke={1.8} />}
      </button>
    </li>
  );
});
