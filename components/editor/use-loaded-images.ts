'use client';

import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { withViews } from '@/lib/document/image-views';
import { type DocumentImages, imageKey, imagesOf, type PageData } from '@/lib/document/page-model';
import { readDocumentImages } from './document-calls';
import type { EditorDocument } from './editor-change';
import type { EditorStore } from './editor-store';

/** Signed URLs are valid for an hour, so renew them after 50 minutes. */
const RENEW_MS = 50 * 60 * 1000;
const CHECK_MS = 60_000;
const RETRY_MS = 10_000;

// Page objects are immutable, so cache the image keys of each page.
const keysOfPages = new WeakMap<PageData, string[]>();
function keysOf(page: PageData): string[] {
  const cached = keysOfPages.get(page) ?? imagesOf([page]).map(({ key }) => key);
  keysOfPages.set(page, cached);
  return cached;
}

/** Returns the distinct keys of the images in a document. */
export function keysOfDocument({ cover, masters, pages }: EditorDocument): string[] {
  const coverKey = imageKey(cover);
  const keys = [...(coverKey === null ? [] : [coverKey]), ...[...masters, ...pages].flatMap(keysOf)];
  return [...new Set(keys)];
}

type Loaded = {
  images: DocumentImages;
  /** Keys of images to fetch again, because their URLs expire soon. */
  stale: ReadonlySet<string>;
  /** Keys of images that do not exist. */
  missing: ReadonlySet<string>;
};

const none: Loaded = { images: new Map(), stale: new Set(), missing: new Set() };

function withFound({ images, missing }: Loaded, requested: string[], found: DocumentImages): Loaded {
  return {
    images: new Map([...images, ...found]),
    stale: none.stale,
    missing: new Set([...missing, ...requested.filter((key) => !found.has(key))]),
  };
}

type LoadedImages = {
  images: DocumentImages;
  /** Adds images that are already known, so that they are not fetched. */
  addImages: (images: DocumentImages) => void;
};

/**
 * Returns the images of a document. Fetches only new images, because a different URL for the same image would make the
 * browser load it again. Renews all URLs before they expire.
 */
export function useLoadedImages(projectId: string, store: EditorStore): LoadedImages {
  // Join the keys into one string. Unlike a new array, the string equals the previous one until the keys change.
  const readKeys = () => keysOfDocument(store.get().document).join('\n');
  const keys = useSyncExternalStore(store.subscribe, readKeys, readKeys);
  const queryClient = useQueryClient();
  const { data: loaded = none } = useQuery<Loaded>({
    queryKey: ['document-images', projectId],
    // This query never fetches: the query below and `addImages` fill its cache.
    queryFn: skipToken,
    structuralSharing: false,
  });
  const change = useCallback(
    (next: (current: Loaded) => Loaded) =>
      queryClient.setQueryData<Loaded>(['document-images', projectId], (current = none) => next(current)),
    [queryClient, projectId],
  );

  const requested = (keys === '' ? [] : keys.split('\n')).filter(
    (key) => loaded.stale.has(key) || (!loaded.images.has(key) && !loaded.missing.has(key)),
  );
  useQuery({
    queryKey: ['new-document-images', projectId, requested],
    queryFn: async ({ signal }) => {
      const found = await readDocumentImages(projectId, requested, signal);
      change((current) => withFound(current, requested, found));
      return null;
    },
    enabled: requested.length > 0,
    retry: true,
    retryDelay: RETRY_MS,
  });

  // Compare clock times, so that URLs are also renewed after the computer has been asleep.
  useEffect(() => {
    let renewedAt = Date.now();
    const timer = setInterval(() => {
      if (Date.now() - renewedAt < RENEW_MS) return;
      renewedAt = Date.now();
      change(({ images }) => ({ images, stale: new Set(images.keys()), missing: none.missing }));
    }, CHECK_MS);
    return () => clearInterval(timer);
  }, [change]);

  const addImages = useCallback(
    (found: DocumentImages) =>
      void change((current) => ({ ...current, images: new Map([...current.images, ...found]) })),
    [change],
  );
  const images = useMemo(() => withViews(projectId, loaded.images), [projectId, loaded.images]);
  return { images, addImages };
}
