'use client';

import { type PointerEvent as ReactPointerEvent, useEffect, useState } from 'react';
import { type Box, boundsOf, type Point, touches } from '@/lib/document/bounds';
import { unitsOf } from '@/lib/document/groups';
import type { PageElement, PageGuide } from '@/lib/document/page-model';
import type { SheetSize } from '@/lib/document/sheets';
import { openPage, selectedElements } from '../editor-change';
import type { EditorStore } from '../editor-store';
import { type Drag, type Dragged, dragged, type Snapping } from '../geometry/drag';
import { boundsOfAll } from '../geometry/frames';
import { type Handle, handles } from '../geometry/resize';
import { snapLines } from '../geometry/snap';
import { clickedIds, withGroupMembers } from '../group-selection';
import { cancelDrag, trackDrag } from './drag';
import { DRAG_FROM, newDragGroup, SNAP_WITHIN } from './drag-settings';

type DragMarks = Omit<Dragged, 'frames'>;

type CanvasDrag = {
  onPointerDown: (event: ReactPointerEvent<HTMLElement>) => void;
  /** The lines and equal gaps that the drag has snapped to. */
  shown: DragMarks;
  /** The selection rectangle in millimeters. */
  marquee: Box | null;
};

type CanvasDragOptions = {
  store: EditorStore;
  size: SheetSize;
  /** The page margin to snap to, in millimeters. */
  margin: number;
  /** The visible guides of the page and its master. */
  guides: readonly PageGuide[];
  /** CSS pixels per millimeter. */
  px: number;
  paper: { current: HTMLElement | null };
  canEdit: boolean;
};

const noMarks: DragMarks = { marks: [], gaps: [] };

function handleOf(target: Element): Handle | null {
  const name = target.getAttribute('data-handle');
  return name !== null && Object.hasOwn(handles, name) ? (name as Handle) : null;
}

/**
 * Handles pointer input on the canvas: selecting by click or rectangle, moving, moving a copy with Alt, resizing and
 * rotating.
 */
export function useCanvasDrag(options: CanvasDragOptions): CanvasDrag {
  const { store, size, margin, guides, px, paper, canEdit } = options;
  const [shown, setShown] = useState(noMarks);
  const [marquee, setMarquee] = useState<Box | null>(null);
  useEffect(() => cancelDrag, []);

  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const { left = 0, top = 0 } = paper.current?.getBoundingClientRect() ?? {};
    return { x: (clientX - left) / px, y: (clientY - top) / px };
  };

  const startDrag = (
    event: PointerEvent,
    kind: { kind: 'move' | 'rotate' } | { kind: 'resize'; handle: Handle },
    onPress: () => void,
  ) => {
    const group = newDragGroup();
    const from = pointOf(event);
    let drag: Drag | null = null;
    const begin = (alt: boolean): Drag => {
      if (alt && kind.kind === 'move') store.dispatch({ type: 'duplicated', inPlace: true, group });
      const elements = selectedElements(store.get()).filter(({ locked }) => !locked);
      return { ...kind, from, elements };
    };
    const others = (elements: readonly PageElement[]) => {
      const taken = new Set(elements.map(({ id }) => id));
      return openPage(store.get())?.elements.filter(({ id }) => !taken.has(id)) ?? [];
    };
    const snappingAround = (elements: readonly PageElement[]) => ({
      lines: snapLines(size, margin, elements, guides),
      boxes: unitsOf(elements).flatMap((unit) => boundsOfAll(unit) ?? []),
    });
    let around: Omit<NonNullable<Snapping>, 'threshold'> | null = null;
    const done = () => setShown(noMarks);
    trackDrag(event.pointerId, {
      move: (next) => {
        const far = Math.hypot(next.clientX - event.clientX, next.clientY - event.clientY) >= DRAG_FROM;
        if (!drag && !far) return;
        drag ??= begin(next.altKey);
        around ??= snappingAround(others(drag.elements));
        const snapping = next.ctrlKey || next.metaKey ? null : { ...around, threshold: SNAP_WITHIN / px };
        const keys = { shift: next.shiftKey, alt: next.altKey };
        const { frames, ...marks } = dragged(drag, pointOf(next), keys, snapping);
        store.dispatch({ type: 'elements-framed', frames, group });
        setShown(marks);
      },
      end: () => {
        done();
        if (drag) store.dispatch({ type: 'settled' });
        else onPress();
      },
      cancel: () => {
        done();
        store.dispatch({ type: 'reverted', group });
      },
    });
  };

  const startMarquee = (event: PointerEvent) => {
    const from = pointOf(event);
    const kept = event.shiftKey ? store.get().selected : [];
    const before = store.get().selected;
    store.dispatch({ type: 'selected', ids: kept });
    trackDrag(event.pointerId, {
      move: (next) => {
        const to = pointOf(next);
        const box = {
          left: Math.min(from.x, to.x),
          top: Math.min(from.y, to.y),
          right: Math.max(from.x, to.x),
          bottom: Math.max(from.y, to.y),
        };
        setMarquee(box);
        const free = openPage(store.get())?.elements.filter(({ locked }) => !locked) ?? [];
        const met = free.filter((element) => touches(boundsOf(element), box)).map(({ id }) => id);
        store.dispatch({ type: 'selected', ids: [...kept, ...withGroupMembers(free, met)] });
      },
      end: () => setMarquee(null),
      cancel: () => {
        setMarquee(null);
        store.dispatch({ type: 'selected', ids: before });
      },
    });
  };

  const onPointerDown = ({ nativeEvent: event, target }: ReactPointerEvent<HTMLElement>) => {
    if (event.button !== 0 || !(target instanceof Element)) return;
    // Clear any text selection outside the canvas. Otherwise, Copy would copy that text instead of the elements.
    getSelection()?.removeAllRanges();
    cancelDrag();
    const handle = handleOf(target);
    if (handle) return startDrag(event, { kind: 'resize', handle }, () => undefined);
    if (target.hasAttribute('data-rotate')) return startDrag(event, { kind: 'rotate' }, () => undefined);
    const id = target.closest('[data-target]')?.getAttribute('data-target');
    if (!id) {
      // Touching the empty canvas scrolls it, so a touch does not start a selection rectangle.
      if (event.pointerType === 'touch') store.dispatch({ type: 'selected', ids: [] });
      else startMarquee(event);
      return;
    }
    if (event.shiftKey || event.ctrlKey || event.metaKey) return store.dispatch({ type: 'toggled', id });
    const { selected } = store.get();
    const ids = clickedIds(openPage(store.get())?.elements ?? [], selected, id);
    if (!selected.includes(id)) store.dispatch({ type: 'selected', ids });
    // Clicking one of several selected elements without dragging it selects only that element or its group.
    if (canEdit) startDrag(event, { kind: 'move' }, () => store.dispatch({ type: 'selected', ids }));
  };

  return { onPointerDown, shown, marquee };
}
