'use client';

import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { numberAt } from '../editor-change';
import type { EditorStore } from '../editor-store';

const offers = new Set<string>();

/** Hides all "Undo" notifications. Called when leaving the document, after which an undo would not be saved. */
export function withdrawOffers(): void {
  for (const notice of offers) notifications.hide(notice);
  offers.clear();
}

/** Deletes a page and shows a notification that can restore the page, even after other changes. */
export function removePage(store: EditorStore, pageId: string): void {
  const { document } = store.get();
  const { pages } = document;
  const at = pages.findIndex(({ id }) => id === pageId);
  const page = pages[at];
  if (!page) return;
  store.dispatch({ type: 'page-removed', pageId });
  const notice = `removed page ${pageId}`;
  const restore = () => {
    notifications.hide(notice);
    const { pages: now } = store.get().document;
    if (now.some(({ id }) => id === pageId)) return;
    store.dispatch({ type: 'pages-added', pages: [page], after: now[at - 1]?.id ?? null });
    // `after: null` adds at the end, so the first page has to move to the start.
    if (at === 0) store.dispatch({ type: 'page-moved', pageId, to: 0 });
  };
  notifications.hide(notice);
  offers.add(notice);
  notifications.show({
    id: notice,
    onClose: () => offers.delete(notice),
    autoClose: 12_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">Page {numberAt(document, at)} was deleted.</Text>
        <Button size="compact-sm" variant="subtle" onClick={restore}>
          Undo
        </Button>
      </Group>
    ),
  });
}
