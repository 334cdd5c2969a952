import { useWindowEvent } from '@mantine/hooks';
import { editorKey, viewKey } from './canvas/canvas-keys';
import { focusCanvas, isCanvasActive } from './canvas/focus-canvas';
import type { ZoomView } from './canvas/use-zoom';
import { sheetNextTo } from './editor-change';
import { isTyping } from './is-typing';
import { useEditorContext } from './use-editor';

type EditorKeys = {
  view: Pick<ZoomView, 'setZoom' | 'step'>;
  flush: () => Promise<void>;
  onFind: () => void;
};

/**
 * Handles the keyboard shortcuts of the whole editor. The shortcuts for undo, redo, select all and page navigation do
 * nothing in fields and dialogs. The shortcuts for finding, zooming and guides do nothing in dialogs. The shortcut for
 * saving works everywhere. Key presses whose propagation is stopped, for example by `keepKey`, are not handled.
 */
export function useEditorKeys({ view, flush, onFind }: EditorKeys): void {
  const { store, canEdit } = useEditorContext();

  const save = async () => {
    if (!canEdit) return;
    try {
      await flush();
      store.dispatch({ type: 'announced', text: 'Saved.' });
    } catch {
      // The header shows that saving failed.
    }
  };
  const openNext = (direction: 1 | -1) => {
    const next = sheetNextTo(store.get(), direction);
    if (!next) return;
    const { pageId, sheet } = next;
    if (sheet.kind !== 'page') store.dispatch({ type: 'sheet-opened', sheet });
    else if (pageId !== null) store.dispatch({ type: 'page-opened', pageId });
  };

  useWindowEvent('keydown', (event) => {
    const key = viewKey(event);
    const isInDialog = event.target instanceof Element && event.target.closest('[role="dialog"]') !== null;
    if (key && !(isInDialog && key !== 'save')) {
      if ((key === 'next page' || key === 'previous page') && isTyping(event)) return;
      event.preventDefault();
      if (key === 'save') void save();
      else if (key === 'find') onFind();
      else if (key === 'guides') store.dispatch({ type: 'guides-shown', shown: !store.get().showsGuides });
      else if (key === 'fit') view.setZoom('fit');
      else if (key === 'zoom in' || key === 'zoom out') view.step(key === 'zoom in' ? 1 : -1);
      else openNext(key === 'next page' ? 1 : -1);
      return;
    }
    const action = editorKey(event);
    if (!action || isTyping(event)) return;
    event.preventDefault();
    // Keep the focus on the canvas, because the action may remove the focused element. "Select all" moves the focus to
    // the canvas even from elsewhere, so that the next keys act on the selection, not on a page in the strip.
    const isOnCanvas = isCanvasActive() || action.type === 'all-selected';
    store.dispatch(action);
    if (isOnCanvas) focusCanvas(store);
  });
}
