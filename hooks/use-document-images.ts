'use client';

import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { readDocumentImages } from '@/components/editor/document-calls';
import type { EditorDocument } from '@/components/editor/editor-change';
import type { EditorStore } from '@/components/editor/editor-store';
import { type DocumentImages, imageKey, imagesOf, type PageData } from '@/lib/document/page-model';

/** Signed URLs are valid for an hour. */
const RENEW_MS = 50 * 60 * 1000;
const CHECK_MS = 60_000;
const RETRY_MS = 10_000;

// Page objects are immutable, so their keys are cached.
const keysOfPages = new WeakMap<PageData, string[]>();
function keysOf(page: PageData): string[] {
  const known = keysOfPages.get(page) ?? imagesOf([page]).map(({ key }) => key);
  keysOfPages.set(page, known);
  return known;
}

function keysOfDocument({ cover, pages }: EditorDocument): string[] {
  const coverKey = imageKey(cover);
  const keys = [...(coverKey === null ? [] : [coverKey]), ...pages.flatMap(keysOf)];
  return [...new Set(keys)];
}

const none: DocumentImages = new Map();

type ShownImages = {
  images: DocumentImages;
  /** Adds images that are already known. */
  addImages: (images: DocumentImages) => void;
};

/** The images of a document; requests new ones, and renews all URLs before they expire. */
export function useDocumentImages(projectId: string, store: EditorStore): ShownImages {
  // A string, which is equal until an image is added or removed.
  const readKeys = () => keysOfDocument(store.get().document).join('\n');
  const keys = useSyncExternalStore(store.subscribe, readKeys, readKeys);
  const [images, setImages] = useState<DocumentImages>(none);
  // Images that do not exist, and images with an expiring URL; the next response replaces both.
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set());
  const [stale, setStale] = useState<ReadonlySet<string>>(new Set());
  const [attempt, setAttempt] = useState(0);
  const wanted = (keys === '' ? [] : keys.split('\n')).filter(
    (key) => stale.has(key) || (!images.has(key) && !missing.has(key)),
  );
  const asked = wanted.join('\n');

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt requests again.
  useEffect(() => {
    if (asked === '') return;
    const controller = new AbortController();
    const askedKeys = asked.split('\n');
    let retry: ReturnType<typeof setTimeout> | undefined;
    readDocumentImages(projectId, askedKeys, controller.signal).then(
      (found) => {
        if (controller.signal.aborted) return;
        setImages((known) => new Map([...known, ...found]));
        setMissing((known) => new Set([...known, ...askedKeys.filter((key) => !found.has(key))]));
        setStale(new Set());
      },
      () => {
        if (!controller.signal.aborted) retry = setTimeout(() => setAttempt((count) => count + 1), RETRY_MS);
      },
    );
    return () => {
      controller.abort();
      clearTimeout(retry);
    };
  }, [projectId, asked, attempt]);

  const renew = useEffectEvent(() => {
    setStale(new Set(images.keys()));
    setMissing(new Set());
  });
  // Not affected by new images, and measured with the clock, so that it also works after the machine slept.
  useEffect(() => {
    let renewedAt = Date.now();
    const timer = setInterval(() => {
      if (Date.now() - renewedAt < RENEW_MS) return;
      renewedAt = Date.now();
      renew();
    }, CHECK_MS);
    return () => clearInterval(timer);
  }, []);

  const addImages = useCallback((found: DocumentImages) => {
    setImages((known) => new Map([...known, ...found]));
  }, []);
  return { images, addImages };
}
