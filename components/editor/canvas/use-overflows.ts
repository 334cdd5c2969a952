import { type RefObject, useEffect } from 'react';
import type { PageData } from '@/lib/document/page-model';
import { rounded } from '../geometry/frames';
import { PX_PER_MM } from '../geometry/zoom';
import { useEditorContext } from '../use-editor';

/** Measuring waits until a drag or typing pauses, because it forces a layout. */
const PAUSE_MS = 150;

/** Returns, by element id, the heights in millimeters that overflowing elements need for their contents. */
function measureOverflows(paper: HTMLElement): Record<string, number> {
  const found: Record<string, number> = {};
  for (const box of paper.querySelectorAll<HTMLElement>('[data-measured]')) {
    // Elements of a master and of the page may have the same ids.
    if (box.closest('.doc-master')) continue;
    const { measured: id = '' } = box.dataset;
    const isTall = box.scrollHeight - box.clientHeight > 1;
    if (id !== '' && (isTall || box.scrollWidth - box.clientWidth > 1)) {
      found[id] = rounded(Math.ceil(box.scrollHeight) / PX_PER_MM + 0.05);
    }
  }
  return found;
}

/**
 * Keeps the editor's `overflows` up to date with the page that `paper` shows. Applies the same rule as the export's
 * warnings (`findOverflows` in lib/pdf/print-html.ts). `editedId` is the text being edited, which `paper` omits.
 */
export function useOverflows(
  paper: RefObject<HTMLElement | null>,
  page: PageData,
  editedId: string | undefined,
): void {
  const { store } = useEditorContext();
  const { elements } = page;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the elements are measured where they are rendered.
  useEffect(() => {
    const measure = () => {
      if (paper.current)
        store.dispatch({ type: 'overflows-measured', heights: measureOverflows(paper.current) });
    };
    const timer = setTimeout(measure, PAUSE_MS);
    document.fonts.addEventListener('loadingdone', measure);
    return () => {
      clearTimeout(timer);
      document.fonts.removeEventListener('loadingdone', measure);
    };
  }, [paper, elements, editedId, store]);
}
