import type { EditorStore } from '../editor-store';

/** Focuses an element on the canvas. Returns false if the canvas does not show the element. */
export function focusTarget(id: string | undefined): boolean {
  const target =
    id === undefined ? null : document.querySelector<HTMLElement>(`[data-target="${CSS.escape(id)}"]`);
  target?.focus();
  return target !== null;
}

/** Focuses the canvas itself. */
export function focusDesk(): void {
  document.querySelector<HTMLElement>('[data-desk]')?.focus();
}

/** Returns whether keys act on the canvas: true if the canvas, something in it, or no element has the focus. */
export function isCanvasActive(): boolean {
  const { activeElement } = document;
  return activeElement === document.body || activeElement?.closest('[data-desk]') != null;
}

/**
 * Moves the focus to the first selected element on the canvas, or to the canvas itself, so that keys act on a selection
 * that was changed elsewhere. Waits for the next frame, because the element may not be rendered yet. Does nothing while
 * an element is being edited in place or cropped.
 */
export function focusCanvas(store: EditorStore): void {
  requestAnimationFrame(() => {
    const { selected, editing, cropping } = store.get();
    if (editing === null && cropping === null && !focusTarget(selected[0])) focusDesk();
  });
}
