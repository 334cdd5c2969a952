'use client';

import { VisuallyHidden } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useId, useMemo, useRef } from 'react';
import { onDemand } from '@/components/feedback/on-demand';
import { countOf } from '@/components/format/count';
import { marginsOf } from '@/lib/document/margins';
import type { PageData } from '@/lib/document/page-model';
import { inReadingOrder } from '@/lib/document/reading-order';
import { openPage } from '../editor-state';
import { useEditor, useEditorContext, usePageSize } from '../use-editor';
import classes from './canvas.module.css';
import { canvasKey, nextInOrder } from './canvas-keys';
import { ElementTarget } from './element-target';
import { PagePaper } from './paper';
import { Ruler } from './ruler';
import { SelectionFrame } from './selection-frame';
import { useCanvasDrag } from './use-canvas-drag';
import { useOverflows } from './use-overflows';
import { useWheelZoom } from './use-wheel-zoom';
import type { ZoomView } from './use-zoom';

// The code that edits text is a sixth of the editor's.
const TextLayer = onDemand(() => import('./text-layer').then((file) => file.TextLayer), { text: null });

type CanvasProps = {
  page: PageData;
  /** The number that is printed; null for a master. */
  number: number | null;
  view: ZoomView;
  /** Called on Enter or double-click on an element that cannot be edited in place. Moves to the element's fields. */
  onFields: () => void;
};

/** The canvas of one page or master: the page as printed, overlaid with targets to select, drag and focus its elements. */
export function Canvas({ page, number, view, onFields }: CanvasProps) {
  const { store, canEdit } = useEditorContext();
  const size = usePageSize();
  const selectedIds = useEditor(({ selected }) => selected);
  const editing = useEditor((state) => state.editing);
  const overflows = useEditor((state) => state.overflows);
  const desk = useRef<HTMLElement>(null);
  const help = useId();
  const { px, scale, inset, paper, measure, zoomAt } = view;
  const ref = useMergedRef(desk, measure);
  useOverflows(paper, page, editing?.id);
  const margin = useEditor(({ document }) => marginsOf(document.margin, size).page);
  const { onPointerDown, guides, marquee } = useCanvasDrag({ store, size, margin, px, paper, canEdit });

  const selected = useMemo(() => {
    const ids = new Set(selectedIds);
    return page.elements.filter(({ id }) => ids.has(id));
  }, [page, selectedIds]);
  const free = useMemo(() => page.elements.filter(({ locked }) => !locked), [page]);
  const edited = page.elements.find(({ id }) => id === editing?.id);
  const text = edited?.type === 'text' ? edited : null;
  const reached = selected.find(({ locked }) => !locked) ?? inReadingOrder(free)[0];

  useWheelZoom(desk, zoomAt);

  const focusElement = (id: string) =>
    desk.current?.querySelector<HTMLElement>(`[data-target="${CSS.escape(id)}"]`)?.focus();

  /** Moves the focus to the canvas if the focused element was deleted or locked. */
  const leaveWhatIsGone = () => {
    const focused = document.activeElement?.getAttribute('data-target');
    const stays = openPage(store.get())?.elements.some(({ id, locked }) => id === focused && !locked);
    if (!stays) desk.current?.focus();
  };

  const edit = (id: string) => {
    const element = page.elements.find((other) => other.id === id);
    if (element?.type === 'text' && canEdit && !element.locked)
      store.dispatch({ type: 'editing-started', id });
    else onFields();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key, target } = event;
    const focused = (target instanceof Element && target.getAttribute('data-target')) || null;
    if (key === 'Tab' && !event.ctrlKey && !event.altKey && !event.metaKey) {
      if (!focused && event.shiftKey) return;
      const next = nextInOrder(page.elements, focused, event.shiftKey ? -1 : 1);
      if (!next) return;
      event.preventDefault();
      store.dispatch({ type: 'selected', ids: [next.id] });
      focusElement(next.id);
      return;
    }
    if (key === 'Escape') {
      store.dispatch({ type: 'selected', ids: [] });
      desk.current?.focus();
      return;
    }
    if (key === 'Enter' || key === ' ') {
      if (!focused) return;
      event.preventDefault();
      if (key === 'Enter') edit(focused);
      else if (event.shiftKey) store.dispatch({ type: 'toggled', id: focused });
      else store.dispatch({ type: 'selected', ids: [focused] });
      return;
    }
    const action = canvasKey(event, selected);
    if (!action) return;
    event.preventDefault();
    store.dispatch(action);
    // Locked elements cannot be focused.
    if (action.type === 'removed' || action.type === 'locked') requestAnimationFrame(leaveWhatIsGone);
    if (action.type === 'duplicated')
      requestAnimationFrame(() => focusElement(store.get().selected[0] ?? ''));
  };

  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const id = target.getAttribute('data-target');
    if (!id || !target.matches(':focus-visible') || store.get().selected.includes(id)) return;
    store.dispatch({ type: 'selected', ids: [id] });
  };

  const onDoubleClick = ({ target }: MouseEvent<HTMLElement>) => {
    const id = target instanceof Element && target.closest('[data-target]')?.getAttribute('data-target');
    if (id) edit(id);
  };

  const doneEditing = () => {
    store.dispatch({ type: 'editing-ended' });
    requestAnimationFrame(() => {
      const lost = document.activeElement === null || document.activeElement === document.body;
      if (editing && lost) focusElement(editing.id);
    });
  };

  return (
    <section
      ref={ref}
      className={classes.desk}
      data-desk=""
      data-editing={text !== null}
      role="application"
      aria-label={`Canvas of ${number === null ? 'master' : `page ${number}`}${page.title ? `, ${page.title}` : ''}: ${countOf(page.elements.length, 'element')}`}
      aria-describedby={help}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the canvas handles keys such as paste and select all.
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      onDoubleClick={onDoubleClick}
    >
      <VisuallyHidden id={help}>
        Tab moves through the elements. Arrow keys move the selection by one millimeter, with Shift by ten,
        with Alt by a tenth. Enter edits text, Delete removes, Escape clears the selection.
      </VisuallyHidden>
      <Ruler axis="x" lengthMm={size.width} px={px} inset={inset.x} />
      <Ruler axis="y" lengthMm={size.height} px={px} inset={inset.y} />
      <div className={classes.room} style={{ padding: `${inset.y}px ${inset.x}px` }}>
        <div
          ref={paper}
          className={classes.page}
          style={{ width: size.width * px, height: size.height * px }}
        >
          <PagePaper page={page} number={number} scale={scale} without={text?.id} />
          <div className={classes.overlay}>
            {free.map((element) => (
              <ElementTarget
                key={element.id}
                element={element}
                px={px}
                selected={selectedIds.includes(element.id)}
                overflows={overflows[element.id] !== undefined}
                inTabOrder={element === reached}
              />
            ))}
            <TextLayer
              text={text}
              size={size}
              scale={scale}
              selectAll={editing?.selectAll === true}
              onChange={(id, blocks) =>
                store.dispatch({
                  type: 'elements-changed',
                  ids: [id],
                  patch: { blocks },
                  group: `text ${id}`,
                })
              }
              onClose={doneEditing}
            />
            {!text && (
              <SelectionFrame
                elements={selected}
                px={px}
                handled={canEdit && selected.some(({ locked }) => !locked)}
              />
            )}
            {guides.map(({ axis, at }) => (
              <div
                key={`${axis}${at}`}
                className={axis === 'x' ? classes.guideX : classes.guideY}
                style={axis === 'x' ? { left: at * px } : { top: at * px }}
              />
            ))}
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
    </section>
  );
}
