'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { createDueRun } from '@/hooks/due-run';
import { type KnownUrls, withKnownUrls } from '@/hooks/image-gen/image-gen-state';
import { readAgain } from '@/hooks/read-again';
import { type Pages, usePages } from '@/hooks/use-pages';
import { type LiveState, useRealtimeTopic } from '@/hooks/use-realtime-topic';
import type { GalleryImage } from '@/lib/image-gen/schema';
import { type GalleryPage, readGallery } from './gallery-calls';
import { type GalleryFilters, galleryFiltersQuery } from './gallery-url';

const SETTLE_MS = 500;
const RENEW_MS = 30_000;

export type Gallery = Pages<GalleryImage> & {
  live: LiveState;
  /** Refetches all shown pages, for example after a change. */
  refresh: () => Promise<void>;
  /** Refetches all shown pages to get new URLs. Must be called when an image does not load. */
  onStale: () => void;
};

/**
 * Returns a project's images that match the filters, updated live. `initial` is the first page for the initial filters,
 * as read on the server.
 */
export function useGallery(projectId: string, filters: GalleryFilters, initial: GalleryPage): Gallery {
  const client = useQueryClient();
  // Every read returns new signed URLs. Keep the known ones while they are valid, so that images are not loaded again.
  const urls = useRef<Record<string, KnownUrls>>({});
  const renewedAt = useRef(0);
  const pageOf = ({ images, nextCursor }: GalleryPage) => {
    const known = withKnownUrls(
      urls.current,
      images.map(({ variant }) => variant),
      Date.now(),
    );
    urls.current = known.urls;
    const items = images.map((image, i) => ({ ...image, variant: known.variants[i] ?? image.variant }));
    return { items, nextCursor };
  };
  const list = usePages({
    queryKey: ['gallery', projectId, galleryFiltersQuery(filters)],
    read: async (cursor, signal) => pageOf(await readGallery(projectId, filters, cursor, signal)),
    initial: { items: initial.images, nextCursor: initial.nextCursor },
  });

  const refresh = useCallback(() => readAgain(client, ['gallery', projectId]), [client, projectId]);
  // Many images often change at about the same time, so wait a moment and refetch them once.
  const settled = useMemo(() => createDueRun(() => void refresh()), [refresh]);
  useEffect(() => settled.cancel, [settled]);
  const refreshSoon = () => settled.within(SETTLE_MS);
  const live = useRealtimeTopic({
    topic: `project:${projectId}`,
    event: 'job',
    onEvent: refreshSoon,
    onResync: refreshSoon,
    isUnfinished: () => false,
  });
  const onStale = useCallback(() => {
    // Do not refetch in a loop when a file is broken.
    if (Date.now() - renewedAt.current < RENEW_MS) return;
    renewedAt.current = Date.now();
    urls.current = {};
    void refresh();
  }, [refresh]);
  return { ...list, live, refresh, onStale };
}
