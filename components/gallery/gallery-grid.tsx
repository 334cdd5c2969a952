'use client';

import { type KeyboardEvent, type MouseEvent, useState } from 'react';
import { gridMove } from '@/components/materials/grid-moves';
import { studioHref } from '@/components/studio/studio-url';
import { useSingleKeysSetting } from '@/components/studio/use-single-keys';
import { noSelection, type Selection, select, selectAll } from '@/hooks/selection';
import type { GalleryImage } from '@/lib/image-gen/schema';
import classes from './gallery-grid.module.css';
import { type GalleryActions, GalleryTile } from './gallery-tile';

type GalleryGridProps = {
  projectId: string;
  images: GalleryImage[];
  actions: GalleryActions;
  /** The actions of the shortcut keys. Each receives the focused image. */
  keys: Pick<GalleryActions, 'star' | 'remove'>;
  selection: Selection;
  onSelect: (selection: Selection) => void;
};

const columnsOf = (grid: Element) => getComputedStyle(grid).gridTemplateColumns.split(' ').length;

/**
 * Shows the grid of images. Arrow keys move the focus by rows and columns. Space toggles the selection of the focused
 * image. Shift+Space selects all images from the last one toggled to the focused one. Enter opens the focused image. If
 * any image is selected or there is no `open` action, Enter acts like Space instead. The Delete key runs the `remove`
 * action of `keys`. The `s` key runs the `star` action of `keys`, but only if single-key shortcuts are on. Ctrl+A
 * selects all loaded images, and Escape clears the selection.
 */
export function GalleryGrid(props: GalleryGridProps) {
  const { projectId, images, actions, keys, selection, onSelect } = props;
  const [stop, setStop] = useState<string | null>(null);
  const [singleKeys] = useSingleKeysSetting();
  const order = images.map(({ variant }) => variant.id);
  const stopId = stop !== null && order.includes(stop) ? stop : order[0];

  const toggle = (id: string, extend: boolean) =>
    onSelect(select(selection, order, { id, isSelected: extend || !selection.ids.has(id), extend }));
  const onClick = (event: MouseEvent<HTMLUListElement>) => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const check = target.closest<HTMLElement>('[data-check]')?.dataset.check;
    if (check) return toggle(check, event.shiftKey);
    const id = target.closest<HTMLElement>('[data-id]')?.dataset.id;
    // Leave clicks with a modifier key other than Shift to the browser, which may open a new tab.
    if (!id || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    const image = images.find(({ variant }) => variant.id === id);
    if (!actions.open || event.shiftKey || selection.ids.size > 0) toggle(id, event.shiftKey);
    else if (image) actions.open(image);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || event.altKey) return;
    if (target.closest('[role="menu"]')) return;
    const id = target.closest('li')?.querySelector<HTMLElement>('[data-id]')?.dataset.id;
    const image = images.find(({ variant }) => variant.id === id);
    if (!image) return;
    const isLink = target.dataset.id !== undefined;
    if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'a') {
      event.preventDefault();
      onSelect(selectAll(order));
      return;
    }
    if (event.metaKey) return;
    if (key === ' ' && isLink) {
      event.preventDefault();
      if (!event.repeat) toggle(image.variant.id, event.shiftKey);
      return;
    }
    if (key === 'Escape' && selection.ids.size > 0) {
      onSelect(noSelection);
      return;
    }
    if (!event.repeat && !event.ctrlKey && key === 'Delete' && keys.remove) {
      event.preventDefault();
      keys.remove(image);
      return;
    }
    if (!event.repeat && !event.ctrlKey && singleKeys && key.toLowerCase() === 's' && keys.star) {
      event.preventDefault();
      keys.star(image);
      return;
    }
    const index = images.indexOf(image);
    const columns = columnsOf(event.currentTarget);
    const next = gridMove(key, event.ctrlKey, { index, columns, count: images.length });
    if (next === null) return;
    event.preventDefault();
    event.currentTarget.children[next]?.querySelector<HTMLElement>('[data-id]')?.focus();
  };

  return (
    <ul
      className={classes.grid}
      aria-label="Images"
      data-selecting={selection.ids.size > 0}
      onClick={onClick}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        const id = target.closest('li')?.querySelector<HTMLElement>('[data-id]')?.dataset.id;
        if (id) setStop(id);
      }}
    >
      {images.map((image) => (
        <GalleryTile
          key={image.variant.id}
          image={image}
          href={studioHref(projectId, { job: image.jobId })}
          actions={actions}
          selected={selection.ids.has(image.variant.id)}
          isStop={image.variant.id === stopId}
        />
      ))}
    </ul>
  );
}
