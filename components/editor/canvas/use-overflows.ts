import { type RefObject, useEffect } from 'react';
import type { PageData } from '@/lib/document/page-model';
import { rounded } from '../geometry/frames';
import { PX_PER_MM } from '../geometry/zoom';
import { useEditorContext } from '../use-editor';

/**
 * Milliseconds without changes before overflows are measured. Measuring forces a layout, so it must not happen at every
 * step of a drag or every key press.
 */
const PAUSE_MS = 150;

/** Returns, by element id, the heights in millimeters that overflowing elements need for their contents. */
export function measureOverflows(paper: HTMLElement): Record<string, number> {
  const found: Record<string, number> = {};
  for (const box of paper.querySelectorAll<HTMLElement>('[data-measured]')) {
    // Skip the master's elements, because elements of the page may have the same ids.
    if (box.closest('.doc-master')) continue;
    const { measured: id = '' } = box.dataset;
    const isTall = box.scrollHeight - box.clientHeight > 1;
    if (id !== '' && (isTall || box.scrollWidth - box.clientWidth > 1)) {
      found[id] = rounded(Math.ceil(box.scrollHeight) / PX_PER_MM + 0.05);
    }
  }
  return found;
}

/** Calls `measure` after a pause, and again whenever fonts have loaded. Returns a function that cancels these calls. */
export function measureWhenSettled(measure: () => void): () => void {
  const timer = setTimeout(measure, PAUSE_MS);
  document.fonts.addEventListener('loadingdone', measure);
  return () => {
    clearTimeout(timer);
    document.fonts.removeEventListener('loadingdone', measure);
  };
}

/**
 * Keeps the editor's `overflows` up to date with the page that `paper` shows. If the user can edit, also enlarges text
 * elements that have `grows` set. The editor and the export's warnings (`findProblems` in lib/pdf/print-html.ts) use
 * the same definition of an overflow. `editedId` is the id of the element being edited.
 */
export function useOverflows(
  paper: RefObject<HTMLElement | null>,
  page: PageData,
  editedId: string | undefined,
): void {
  const { store, canEdit } = useEditorContext();
  const { elements } = page;
  // biome-ignore lint/correctness/useExhaustiveDependencies: measure again when `elements` or `editedId` change.
  useEffect(() => {
    return measureWhenSettled(() => {
      if (!paper.current) return;
      const heights = measureOverflows(paper.current);
      store.dispatch({ type: 'overflows-measured', heights });
      if (canEdit) store.dispatch({ type: 'texts-grown', heights });
    });
  }, [paper, elements, editedId, store, canEdit]);
}
