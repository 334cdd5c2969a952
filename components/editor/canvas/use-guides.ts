import type { PageData, PageGuide } from '@/lib/document/page-model';
import { useEditor } from '../use-editor';

const none: readonly PageGuide[] = [];

/** Returns the visible guides of the open page or master, and those of the page's master. */
export function useGuides(
  page: PageData,
  hasMaster: boolean,
): { guides: readonly PageGuide[]; masterGuides: readonly PageGuide[] } {
  const isShown = useEditor(({ showsGuides }) => showsGuides);
  const masterGuides = useEditor(({ document }) =>
    hasMaster ? document.masters.find(({ id }) => id === page.masterId)?.guides : undefined,
  );
  return isShown
    ? { guides: page.guides ?? none, masterGuides: masterGuides ?? none }
    : { guides: none, masterGuides: none };
}
