import type { KeyboardEvent } from 'react';
import type { PageData, PageGuide } from '@/lib/document/page-model';
import { withGuideMoved } from '../geometry/guides';
import { useEditor, useEditorContext, usePageSize } from '../use-editor';
import { guideKey } from './canvas-keys';
import { focusGuide } from './focus-guide';

const none: readonly PageGuide[] = [];

type Guides = {
  /** The visible guides of the open page or master. */
  guides: readonly PageGuide[];
  /** The visible guides of the page's master. */
  masterGuides: readonly PageGuide[];
  /** Applies a key to the focused guide. Returns false if no guide is focused or the key has no effect on it. */
  onGuideKey: (event: KeyboardEvent) => boolean;
};

/**
 * Returns the guides that the canvas shows, and their key handler. `hasMaster` is false if `page` is itself a master.
 */
export function useGuides(page: PageData, hasMaster: boolean): Guides {
  const { store } = useEditorContext();
  const size = usePageSize();
  const isShown = useEditor(({ showsGuides }) => showsGuides);
  const masterGuides = useEditor(({ document }) =>
    hasMaster ? document.masters.find(({ id }) => id === page.masterId)?.guides : undefined,
  );
  const guides = (isShown && page.guides) || none;

  const onGuideKey = (event: KeyboardEvent): boolean => {
    const focused = event.target instanceof Element ? event.target.getAttribute('data-guide') : null;
    const index = Number(focused);
    const guide = focused === null ? undefined : guides[index];
    const change = guide ? guideKey(event, guide.axis) : null;
    if (change === null) return false;
    if (change === 'remove') {
      store.dispatch({ type: 'guides-changed', guides: guides.toSpliced(index, 1) });
      // Without this, the next guide would get the focus, and another Delete would remove it too.
      focusGuide(null);
    } else {
      const moved = withGuideMoved(guides, index, change, size);
      store.dispatch({ type: 'guides-changed', guides: moved, group: `nudge guide ${index}` });
    }
    return true;
  };
  return { guides, masterGuides: (isShown && masterGuides) || none, onGuideKey };
}
