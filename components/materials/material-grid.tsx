'use client';

import { type KeyboardEvent, type MouseEvent, useMemo, useState } from 'react';
import type { SearchItem } from '@/lib/matlib/schema';
import { gridMove } from './grid-moves';
import { MaterialCard } from './material-card';
import classes from './material-grid.module.css';
import { type MaterialUrl, materialsHref } from './material-url';
import { useMaterialTray } from './tray-provider';
import { trayMaterialOf } from './tray-state';

type MaterialGridProps = {
  items: SearchItem[];
  url: MaterialUrl;
  onOpen: (id: string) => void;
};

/** Number of pictures that load eagerly: roughly the first row. */
const EAGER = 8;

const columnsOf = (grid: Element) => getComputedStyle(grid).gridTemplateColumns.split(' ').length;

/**
 * Shows the grid of materials. Arrow keys move the focus by rows and columns, Enter opens the focused material, and `p`
 * or Space adds it to the tray or removes it. The list is not virtualized. Instead, `content-visibility` makes cards
 * outside the viewport cheap, but keeps them reachable for find-in-page and screen readers.
 */
export function MaterialGrid({ items, url, onOpen }: MaterialGridProps) {
  const tray = useMaterialTray();
  const [stop, setStop] = useState<string | null>(null);
  const picked = new Set(tray.materials.map(({ id }) => id));
  const stopId = items.some(({ id }) => id === stop) ? stop : items[0]?.id;

  // Memoized because rebuilding a thousand URLs whenever the focus moves is too expensive.
  const hrefs = useMemo(
    () => new Map(items.map(({ id }) => [id, materialsHref({ ...url, material: id })])),
    [items, url],
  );

  const toggle = (id: string | undefined) => {
    const item = items.find((item) => item.id === id);
    if (item) tray.toggle(trayMaterialOf(item));
  };
  const onClick = (event: MouseEvent<HTMLUListElement>) => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const pick = target.closest<HTMLElement>('[data-pick]');
    if (pick) return toggle(pick.dataset.pick);
    const id = target.closest<HTMLElement>('[data-id]')?.dataset.id;
    // Let the browser open a new tab or window.
    if (!id || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen(id);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || event.metaKey || event.altKey) return;
    const card = target.closest('li');
    const id = card?.querySelector<HTMLElement>('[data-id]')?.dataset.id;
    const isLink = target.dataset.id !== undefined;
    if (!event.ctrlKey && (key === 'p' || (key === ' ' && isLink))) {
      event.preventDefault();
      if (!event.repeat) toggle(id);
      return;
    }
    const index = items.findIndex((item) => item.id === id);
    const columns = columnsOf(event.currentTarget);
    const next = gridMove(key, event.ctrlKey, { index, columns, count: items.length });
    if (next === null || index < 0) return;
    event.preventDefault();
    event.currentTarget.children[next]?.querySelector<HTMLElement>('[data-id]')?.focus();
  };

  return (
    // Handle the events here, so that a thousand cards share one set of listeners.
    <ul
      className={classes.grid}
      aria-label="Materials"
      onClick={onClick}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        const id = target.dataset.id ?? target.dataset.pick;
        if (id) setStop(id);
      }}
    >
      {items.map((item, index) => (
        <MaterialCard
          key={item.id}
          item={item}
          lazy={index >= EAGER}
          href={hrefs.get(item.id) ?? ''}
          picked={picked.has(item.id)}
          isStop={item.id === stopId}
        />
      ))}
    </ul>
  );
}
