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
  /** Reads all shown pages again after a change. */
  refresh: () => Promise<void>;
  /** Reads them with new URLs, when an image does not load. */
  onStale: () => void;
};

/** The images of a project with these filters, with live updates. `initial` is what the server has read for the first ones. */
export function useGallery(projectId: string, filters: GalleryFilters, initial: GalleryPage): Gallery {
  const client = useQueryClient();
  // Every read returns new signed URLs. The first are kept, because a new URL loads the image again.
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
  // Many images often change at once, so wait until they have settled and read them once.
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
    // Not again and again for a broken file.
    if (Date.now() - renewedAt.current < RENEW_MS) return;
    renewedAt.current = Date.now();
    urls.current = {};
    void refresh();
  }, [refresh]);
  return { ...list, live, refresh, onStale };
}
