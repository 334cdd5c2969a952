'use client';

import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { readDocumentImages } from '@/components/editor/document-calls';
import type { EditorDocument } from '@/components/editor/editor-change';
import type { EditorStore } from '@/components/editor/editor-store';
import { type DocumentImages, imageKey, imagesOf, type PageData } from '@/lib/export/document/page-model';

/** The addresses are good for an hour. */
const RENEW_MS = 50 * 60 * 1000;
const CHECK_MS = 60_000;
const RETRY_MS = 10_000;

// Pages are the same objects until they change.
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
  /** Takes images that are known already. */
  addImages: (images: DocumentImages) => void;
};

/** The images that a document shows, as they can be drawn; asks for those that are new, and renews all addresses. */
export function useDocumentImages(projectId: string, store: EditorStore): ShownImages {
  // As one text, which is the same until an image comes or goes.
  const readKeys = () => keysOfDocument(store.get().document).join('\n');
  const keys = useSyncExternalStore(store.subscribe, readKeys, readKeys);
  const [images, setImages] = useState<DocumentImages>(none);
  // Asked for and not there, or with an address that is old: the next answer takes their place.
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set());
  const [stale, setStale] = useState<ReadonlySet<string>>(new Set());
  const [attempt, setAttempt] = useState(0);
  const wanted = (keys === '' ? [] : keys.split('\n')).filter(
    (key) => stale.has(key) || (!images.has(key) && !missing.has(key)),
  );
  const asked = wanted.join('\n');

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again.
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
  // Images that come meanwhile do not put off the others, and a machine that slept is found out by its clock.
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
