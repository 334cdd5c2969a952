import { numberAt } from '../editor-change';
import type { EditorStore } from '../editor-store';
import { offerRestore } from '../offer-restore';

/** Deletes a page and shows a notification that can restore the page, even after other changes. */
export function removePageFromStrip(store: EditorStore, pageId: string): void {
  const { document } = store.get();
  const { pages } = document;
  const at = pages.findIndex(({ id }) => id === pageId);
  const page = pages[at];
  if (!page) return;
  store.dispatch({ type: 'page-removed', pageId });
  offerRestore(`removed page ${pageId}`, `Page ${numberAt(document, at)} was deleted.`, () => {
    const { pages: now } = store.get().document;
    if (now.some(({ id }) => id === pageId)) return;
    store.dispatch({ type: 'pages-added', pages: [page], after: now[at - 1]?.id ?? null });
    // `after: null` adds the page at the end, so move it if it was the first.
    if (at === 0) store.dispatch({ type: 'page-moved', pageId, to: 0 });
  });
}
