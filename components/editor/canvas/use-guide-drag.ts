'use client';

import type { PointerEvent as ReactPointerEvent } from 'react';
import { MAX_GUIDES, type PageGuide } from '@/lib/document/page-model';
import type { SheetSize } from '@/lib/document/sheets';
import { openPage } from '../editor-change';
import type { EditorStore } from '../editor-store';
import { guideAt } from '../geometry/guides';
import { snapLines } from '../geometry/snap';
import { cancelDrag, trackDrag } from './drag';
import { DRAG_FROM, newDragGroup, SNAP_WITHIN } from './drag-settings';
import { focusGuide } from './focus-guide';

type GuideDragOptions = {
  store: EditorStore;
  size: SheetSize;
  /** The page margin to snap to, in millimeters. */
  margin: number;
  /** CSS pixels per millimeter. */
  px: number;
  paper: { current: HTMLElement | null };
  canEdit: boolean;
};

/** A pressed guide: the page's guide at `index` or, if `index` is null, a new one that is pulled from a ruler. */
type PressedGuide = { axis: PageGuide['axis']; index: number | null };

function pressedGuide(target: Element): PressedGuide | null {
  const ruler = target.closest('[data-new-guide]')?.getAttribute('data-new-guide');
  if (ruler === 'x' || ruler === 'y') return { axis: ruler, index: null };
  const pressed = target.closest('[data-guide]');
  const axis = pressed?.getAttribute('data-axis');
  return axis === 'x' || axis === 'y' ? { axis, index: Number(pressed?.getAttribute('data-guide')) } : null;
}

/**
 * Returns a handler for pointer presses. If a user who can edit presses a guide or a ruler with the main button, the
 * handler starts dragging a guide and returns true. Otherwise, it does nothing and returns false. A guide that is
 * dropped off the page is removed.
 */
export function useGuideDrag({ store, size, margin, px, paper, canEdit }: GuideDragOptions) {
  const start = (event: PointerEvent, { axis, index }: PressedGuide) => {
    const page = openPage(store.get());
    const before = page?.guides ?? [];
    if (index === null && before.length >= MAX_GUIDES) {
      const text = `A page has at most ${MAX_GUIDES} guides.`;
      return store.dispatch({ type: 'announced', text, refused: true });
    }
    store.dispatch({ type: 'guides-shown', shown: true });
    store.dispatch({ type: 'selected', ids: [] });
    const group = newDragGroup();
    const at = index ?? before.length;
    const lines = snapLines(size, margin, page?.elements ?? []);
    let isDragged = false;
    let isOffPage = false;
    trackDrag(event.pointerId, {
      move: (next) => {
        const far = Math.hypot(next.clientX - event.clientX, next.clientY - event.clientY) >= DRAG_FROM;
        if (!isDragged && !far) return;
        isDragged = true;
        const { left = 0, top = 0 } = paper.current?.getBoundingClientRect() ?? {};
        const position = axis === 'x' ? (next.clientX - left) / px : (next.clientY - top) / px;
        const snapping = next.ctrlKey || next.metaKey ? null : { lines, threshold: SNAP_WITHIN / px };
        const guide = guideAt(axis, position, size, snapping);
        isOffPage = guide === null;
        store.dispatch({
          type: 'guides-changed',
          guides: before.toSpliced(at, 1, ...(guide ? [guide] : [])),
          group,
        });
      },
      end: () => {
        store.dispatch({ type: 'settled' });
        // Focus the canvas if the guide was removed. Otherwise, the next guide would have the focus, and Delete would
        // remove that guide too.
        focusGuide(isOffPage ? null : at);
      },
      cancel: () => store.dispatch({ type: 'reverted', group }),
    });
  };

  return ({ nativeEvent: event, target }: ReactPointerEvent<HTMLElement>): boolean => {
    const pressed = target instanceof Element ? pressedGuide(target) : null;
    if (!pressed || !canEdit || event.button !== 0) return false;
    cancelDrag();
    start(event, pressed);
    return true;
  };
}
