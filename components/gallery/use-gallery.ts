'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useKnownUrls } from '@/hooks/image-gen/use-known-urls';
import { readAgain } from '@/hooks/read-again';
import { useDueRun } from '@/hooks/use-due-run';
import { type Pages, usePages } from '@/hooks/use-pages';
import { type LiveState, useRealtimeTopic } from '@/hooks/use-realtime-topic';
import { useRenewal } from '@/hooks/use-renewal';
import type { GalleryImage } from '@/lib/image-gen/schema';
import { type ImagesPage, readGallery } from './gallery-calls';
import { type GalleryFilters, galleryFiltersQuery } from './gallery-url';

const SETTLE_MS = 500;

export type LiveGallery = Pages<GalleryImage> & {
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
export function useGallery(projectId: string, filters: GalleryFilters, initial: ImagesPage): LiveGallery {
  const client = useQueryClient();
  const urls = useKnownUrls();
  const pageOf = ({ images, nextCursor }: ImagesPage) => {
    const variants = urls.keep(images.map(({ variant }) => variant));
    const items = images.map((image, i) => ({ ...image, variant: variants[i] ?? image.variant }));
    return { items, nextCursor };
  };
  const list = usePages({
    queryKey: ['gallery', projectId, galleryFiltersQuery(filters)],
    read: async (cursor, signal) => pageOf(await readGallery(projectId, filters, cursor, signal)),
    initial: { items: initial.images, nextCursor: initial.nextCursor },
  });

  const refresh = useCallback(() => readAgain(client, ['gallery', projectId]), [client, projectId]);
  // Many images often change at about the same time, so wait a moment and refetch them once.
  const settled = useDueRun(refresh);
  const refreshSoon = () => settled.within(SETTLE_MS);
  const live = useRealtimeTopic({
    topic: `project:${projectId}`,
    event: 'job',
    onEvent: refreshSoon,
    onResync: refreshSoon,
    isUnfinished: () => false,
  });
  const onStale = useRenewal(
    useCallback(() => {
      urls.forget();
      void refresh();
    }, [urls, refresh]),
  );
  return { ...list, live, refresh, onStale };
}
