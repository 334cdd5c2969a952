'use client';

import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useMemo, useState } from 'react';
import { findWords, type TextRange, type Word, wordsOf } from './find-words';
import type { OpenedPdf } from './open-pdf';
import { pageTextOf } from './page-text';

/** A match of the search. Pages are counted from 1. */
export type Match = TextRange & { page: number };

/** The maximum number of matches, which bounds the work for a document that repeats one word. */
const MAX_MATCHES = 5_000;

/** The maximum number of words kept from a document, which bounds the memory that the search takes. */
const MAX_WORDS = 1_000_000;

export type SearchMatches = {
  matches: Match[];
  /** True if the whole phrase has no match. In this case, the matches are those of its single words. */
  isLoose: boolean;
  isRunning: boolean;
  /** The number of pages searched so far. It stays below the page count if the document has too many words. */
  pages: number;
};

/** The words of the pages read so far, starting at page 1. `isDone` is true once no more pages will be read. */
type Read = { pages: Word[][]; isDone: boolean };

function matchesOf(pages: Word[][], q: string, match: 'phrase' | 'any'): Match[] {
  const matches: Match[] = [];
  for (const [n, words] of pages.entries()) {
    for (const { start, end } of findWords(words, q, match)) matches.push({ start, end, page: n + 1 });
    if (matches.length >= MAX_MATCHES) break;
  }
  return matches.slice(0, MAX_MATCHES);
}

/** Returns the words of a page, or no words for a damaged page, so that the other pages can still be searched. */
export async function readWords(document: PDFDocumentProxy, page: number): Promise<Word[]> {
  try {
    const proxy = await document.getPage(page);
    return wordsOf(pageTextOf(await proxy.getTextContent()));
  } catch {
    return [];
  }
}

/**
 * Reads the words of pages in order. Calls `onRead` after every 20 pages and at the end, each time with all words read
 * so far. Stops early after `maxWords` words, or if `signal` aborts.
 */
export async function readPages(
  count: number,
  readPage: (page: number) => Promise<Word[]>,
  onRead: (read: Read) => void,
  { signal, maxWords = MAX_WORDS }: { signal?: AbortSignal; maxWords?: number },
): Promise<void> {
  const pages: Word[][] = [];
  let words = 0;
  for (let isDone = count === 0; !isDone; ) {
    const page = await readPage(pages.length + 1);
    if (signal?.aborted) return;
    pages.push(page);
    words += page.length;
    isDone = pages.length === count || words >= maxWords;
    if (isDone || pages.length % 20 === 0) onRead({ pages: [...pages], isDone });
  }
}

/**
 * Returns the matches of a search in the document. The first search starts reading the text of the pages. Until all
 * pages have been read, the matches are those in the pages read so far.
 */
export function useFind(pdf: OpenedPdf | null, q: string, onError: (error: unknown) => void): SearchMatches {
  const [read, setRead] = useState<Read>({ pages: [], isDone: false });
  const hasQuery = q.trim() !== '';
  const [isStarted, setIsStarted] = useState(false);
  if (hasQuery && !isStarted) setIsStarted(true);

  useEffect(() => {
    if (!pdf || !isStarted) return;
    const controller = new AbortController();
    const { signal } = controller;
    const readPage = (page: number) => pdf.guard(readWords(pdf.document, page));
    readPages(pdf.document.numPages, readPage, setRead, { signal }).catch((error: unknown) => {
      if (!signal.aborted) onError(error);
    });
    return () => controller.abort();
  }, [pdf, isStarted, onError]);

  return useMemo(() => {
    const about = { isRunning: hasQuery && !read.isDone, pages: read.pages.length };
    if (!hasQuery) return { matches: [], isLoose: false, ...about };
    const exact = matchesOf(read.pages, q, 'phrase');
    const isLoose = exact.length === 0 && read.isDone;
    return { matches: isLoose ? matchesOf(read.pages, q, 'any') : exact, isLoose, ...about };
  }, [read, q, hasQuery]);
}
