'use client';

import { VisuallyHidden } from '@mantine/core';
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useId, useMemo, useState } from 'react';
import { onDemand } from '@/components/feedback/on-demand';
import { countOf } from '@/components/format/count';
import type { Point } from '@/lib/document/bounds';
import { unitsOf } from '@/lib/document/groups';
import { marginsOf } from '@/lib/document/margins';
import type { PageData, PageElement } from '@/lib/document/page-model';
import { inReadingOrder } from '@/lib/document/reading-order';
import { openPage } from '../editor-change';
import { clickedIds, enteredGroup, unitWith } from '../group-selection';
import { useDocumentImages, useEditor, useEditorContext, usePageSize } from '../use-editor';
import classes from './canvas.module.css';
import { canvasKey, nextInOrder } from './canvas-keys';
import { CropBar } from './crop-bar';
import { CropLayer } from './crop-layer';
import { ElementTarget } from './element-target';
import { focusDesk, focusTarget } from './focus-canvas';
import { GuideLines } from './guide-lines';
import { PagePaper } from './paper';
import { Ruler } from './ruler';
import { SelectionFrame } from './selection-frame';
import { SnapMarks } from './snap-marks';
import { useCanvasDrag } from './use-canvas-drag';
import { elementImageOf, useCropped } from './use-crop';
import { useGuideDrag } from './use-guide-drag';
import { useGuides } from './use-guides';
import { useOverflows } from './use-overflows';
import { useWheelZoom } from './use-wheel-zoom';
import type { ZoomView } from './use-zoom';

// The code for editing text is a sixth of the editor's code, so load it on demand.
const InPlaceEditor = onDemand(() => import('./in-place-editor').then((file) => file.InPlaceEditor), {
  element: null,
});

type CanvasProps = {
  page: PageData;
  /** The printed page number; null for a master. */
  number: number | null;
  view: ZoomView;
  /**
   * Called on Enter or double-click on an element that cannot be edited or cropped in place. Moves the focus to the
   * element's fields or, in a narrow window, opens the drawer with these fields.
   */
  onFields: () => void;
};

/** Maps the id of each grouped element to the size of its group. */
function groupSizesOf(elements: readonly PageElement[]): Map<string, number> {
  const groups = unitsOf(elements).filter((unit) => unit.length > 1);
  return new Map(groups.flatMap((unit) => unit.map(({ id }) => [id, unit.length] as const)));
}

/** Shows a page or master as printed, with targets on top to select, drag and focus its elements. */
export function Canvas({ page, number, view, onFields }: CanvasProps) {
  const { store, canEdit } = useEditorContext();
  const size = usePageSize();
  const selectedIds = useEditor(({ selected }) => selected);
  const editing = useEditor((state) => state.editing);
  const overflows = useEditor((state) => state.overflows);
  const help = useId();
  const { px, scale, inset, paper, measure, zoomAt } = view;
  useOverflows(paper, page, editing?.id);
  const margin = useEditor(({ document }) => marginsOf(document.margin, size).page);
  const { guides, masterGuides, onGuideKey } = useGuides(page, number !== null);
  const allGuides = useMemo(() => [...guides, ...masterGuides], [guides, masterGuides]);
  const dragOptions = { store, size, margin, px, paper, canEdit };
  const startGuideDrag = useGuideDrag(dragOptions);
  const { onPointerDown, shown, marquee } = useCanvasDrag({ ...dragOptions, guides: allGuides });

  const selected = useMemo(() => {
    const ids = new Set(selectedIds);
    return page.elements.filter(({ id }) => ids.has(id));
  }, [page, selectedIds]);
  const free = useMemo(() => page.elements.filter(({ locked }) => !locked), [page]);
  const entered = enteredGroup(page.elements, selectedIds);
  const enteredMembers = entered === null ? [] : page.elements.filter(({ groupId }) => groupId === entered);
  const groupSizes = useMemo(() => groupSizesOf(page.elements), [page]);
  const edited = page.elements.find(({ id }) => id === editing?.id);
  const inPlace = edited?.type === 'text' || edited?.type === 'table' ? edited : null;
  /** The viewport position of the double-click that started editing; null if a key started it. */
  const [pressedAt, setPressedAt] = useState<Point | null>(null);
  const images = useDocumentImages();
  const cropped = useCropped(page);
  const reached = selected.find(({ locked }) => !locked) ?? inReadingOrder(free)[0];

  useWheelZoom(paper, zoomAt);

  const select = (id: string) =>
    store.dispatch({ type: 'selected', ids: clickedIds(page.elements, selectedIds, id) });

  /** Moves the focus to the canvas if the focused element was deleted or locked. */
  const focusDeskIfRemoved = () => {
    const focused = document.activeElement?.getAttribute('data-target');
    const stays = openPage(store.get())?.elements.some(({ id, locked }) => id === focused && !locked);
    if (!stays) focusDesk();
  };

  /**
   * Selects only this element if it is in a group that has not been entered. Otherwise, edits or crops the element in
   * place. If neither is possible, calls `onFields`.
   */
  const edit = (id: string, at: Point | null) => {
    const element = page.elements.find((other) => other.id === id);
    const isGrouped = unitWith(page.elements, id).length > 1;
    const isInPlace = element?.type === 'text' || element?.type === 'table';
    setPressedAt(at);
    if (isGrouped && element?.groupId !== entered) store.dispatch({ type: 'selected', ids: [id] });
    else if (isInPlace && canEdit && !element.locked) store.dispatch({ type: 'editing-started', id });
    else if (element && canEdit && !element.locked && elementImageOf(element, images))
      store.dispatch({ type: 'cropping-started', id });
    else onFields();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key, target } = event;
    if (onGuideKey(event)) return event.preventDefault();
    const focused = (target instanceof Element && target.getAttribute('data-target')) || null;
    if (key === 'Tab' && !event.ctrlKey && !event.altKey && !event.metaKey) {
      if (!focused && event.shiftKey) return;
      const next = nextInOrder(page.elements, focused, event.shiftKey ? -1 : 1, entered);
      if (!next) return;
      event.preventDefault();
      select(next.id);
      focusTarget(next.id);
      return;
    }
    if (key === 'Escape' && entered !== null) {
      store.dispatch({ type: 'selected', ids: enteredMembers.map(({ id }) => id) });
      return;
    }
    if (key === 'Escape') {
      store.dispatch({ type: 'selected', ids: [] });
      focusDesk();
      return;
    }
    if (key === 'Enter' || key === ' ') {
      if (!focused) return;
      event.preventDefault();
      if (key === 'Enter') edit(focused, null);
      else if (event.shiftKey) store.dispatch({ type: 'toggled', id: focused });
      else select(focused);
      return;
    }
    const action = canvasKey(event, selected);
    if (!action) return;
    event.preventDefault();
    store.dispatch(action);
    // A deleted or locked element cannot keep the focus.
    if (action.type === 'removed' || action.type === 'locked') requestAnimationFrame(focusDeskIfRemoved);
    if (action.type === 'duplicated') requestAnimationFrame(() => focusTarget(store.get().selected[0] ?? ''));
  };

  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const id = target.getAttribute('data-target');
    if (!id || !target.matches(':focus-visible') || store.get().selected.includes(id)) return;
    select(id);
  };

  const onDoubleClick = ({ target, clientX: x, clientY: y }: MouseEvent<HTMLElement>) => {
    const id = target instanceof Element && target.closest('[data-target]')?.getAttribute('data-target');
    if (id) edit(id, { x, y });
  };

  const doneEditing = () => {
    store.dispatch({ type: 'editing-ended' });
    requestAnimationFrame(() => {
      const lost = document.activeElement === null || document.activeElement === document.body;
      if (editing && lost) focusTarget(editing.id);
    });
  };

  const doneCropping = () => {
    if (cropped) requestAnimationFrame(() => focusTarget(cropped.element.id));
  };

  return (
    <section
      ref={measure}
      className={classes.desk}
      data-desk=""
      data-editing={inPlace !== null}
      role="application"
      aria-label={`Canvas of ${number === null ? 'master' : `page ${number}`}${page.title ? `, ${page.title}` : ''}: ${countOf(page.elements.length, 'element')}`}
      aria-describedby={help}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the canvas handles keys such as Tab and the arrow keys.
      tabIndex={0}
      onPointerDown={(event) => {
        if (!startGuideDrag(event)) onPointerDown(event);
      }}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      onDoubleClick={onDoubleClick}
    >
      <VisuallyHidden id={help}>
        Tab moves through the elements. Arrow keys move the selection by one millimeter, with Shift by ten,
        with Alt by a tenth. Enter edits a text or table, crops an image or selects an element of a group,
        Delete removes, Escape clears the selection.
      </VisuallyHidden>
      <Ruler axis="x" lengthMm={size.width} px={px} inset={inset.x} hasGuides={canEdit} />
      <Ruler axis="y" lengthMm={size.height} px={px} inset={inset.y} hasGuides={canEdit} />
      <div className={classes.room} style={{ padding: `${inset.y}px ${inset.x}px` }}>
        <div
          ref={paper}
          className={classes.page}
          style={{ width: size.width * px, height: size.height * px }}
        >
          <PagePaper page={page} number={number} scale={scale} without={inPlace?.id} />
          <div className={classes.overlay}>
            {free.map((element) => (
              <ElementTarget
                key={element.id}
                element={element}
                px={px}
                selected={selectedIds.includes(element.id)}
                overflows={overflows[element.id] !== undefined}
                groupSize={element.groupId === entered ? 1 : (groupSizes.get(element.id) ?? 1)}
                inTabOrder={element === reached}
              />
            ))}
            <GuideLines guides={guides} masterGuides={masterGuides} px={px} canEdit={canEdit} />
            <InPlaceEditor
              element={inPlace}
              size={size}
              scale={scale}
              selectAll={editing?.selectAll === true}
              at={pressedAt}
              onText={(id, blocks) =>
                store.dispatch({
                  type: 'elements-changed',
                  ids: [id],
                  patch: { blocks },
                  group: `text ${id}`,
                })
              }
              onClose={doneEditing}
            />
            {cropped && <CropLayer {...cropped} px={px} onEnd={doneCropping} />}
            {!inPlace && !cropped && (
              <SelectionFrame
                elements={selected}
                group={enteredMembers}
                px={px}
                handled={canEdit && selected.some(({ locked }) => !locked)}
              />
            )}
            <SnapMarks {...shown} px={px} />
            {marquee && (
              <div
                className={classes.marquee}
                style={{
                  left: marquee.left * px,
                  top: marquee.top * px,
                  width: (marquee.right - marquee.left) * px,
                  height: (marquee.bottom - marquee.top) * px,
                }}
              />
            )}
          </div>
        </div>
      </div>
      {cropped && <CropBar {...cropped} onEnd={doneCropping} />}
    </section>
  );
}
