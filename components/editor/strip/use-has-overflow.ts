import { useEffect, useState } from 'react';
import type { PageData } from '@/lib/document/page-model';
import { measureOverflows, measureWhenSettled } from '../canvas/use-overflows';

/**
 * Returns whether `paper`, which shows `page`, has an element whose content overflows its frame. Returns false until
 * the first measurement.
 */
export function useHasOverflow(paper: HTMLElement | null, page: PageData): boolean {
  const [hasOverflow, setHasOverflow] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: measure again when the page changes.
  useEffect(() => {
    if (paper)
      return measureWhenSettled(() => setHasOverflow(Object.keys(measureOverflows(paper)).length > 0));
  }, [paper, page]);
  return hasOverflow;
}
