'use client';

import { useEffect, useState } from 'react';
import { readDocumentImages } from '@/components/editor/document-calls';
import type { EditorDocument } from '@/components/editor/editor-change';
import { type DocumentImages, imageKey, imagesOf, type PageData } from '@/lib/export/document/page-model';

/** The addresses are good for an hour. */
const RENEW_MS = 50 * 60 * 1000;
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

/** The images that a document shows, as they can be drawn; asks for those that are new, and renews all addresses. */
export function useDocumentImages(projectId: string, document: EditorDocument): DocumentImages {
  const [images, setImages] = useState<DocumentImages>(none);
  // Asked for and not there: they are not asked for again before the addresses are renewed.
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set());
  const [attempt, setAttempt] = useState(0);
  const wanted = keysOfDocument(document).filter((key) => !images.has(key) && !missing.has(key));
  const asked = wanted.join('\n');

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again.
  useEffect(() => {
    if (asked === '') return;
    const controller = new AbortController();
    const keys = asked.split('\n');
    readDocumentImages(projectId, keys, controller.signal).then(
      (found) => {
        setImages((known) => new Map([...known, ...found]));
        setMissing((known) => new Set([...known, ...keys.filter((key) => !found.has(key))]));
      },
      () => {
        if (!controller.signal.aborted) retry = setTimeout(() => setAttempt((count) => count + 1), RETRY_MS);
      },
    );
    let retry: ReturnType<typeof setTimeout> | undefined;
    return () => {
      controller.abort();
      clearTimeout(retry);
    };
  }, [projectId, asked, attempt]);

  useEffect(() => {
    const timer = setInterval(() => {
      setImages(none);
      setMissing(new Set());
    }, RENEW_MS);
    return () => clearInterval(timer);
  }, []);

  return images;
}
