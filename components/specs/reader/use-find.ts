'use client';

import { useEffect, useMemo, useState } from 'react';
import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import { findWords, type Place, type Word, wordsOf } from './find-words';
import type { OpenedPdf } from './open-pdf';
import { textOf } from './page-text';

/** A match of the search, on a page that is counted from 1. */
export type Match = Place & { page: number };

/** The maximum number of matches, which bounds the work for a document that repeats one word. */
const MAX_MATCHES = 5_000;

export type Found = {
  matches: Match[];
  /** Whether the matches are single words, because the whole phrase has no match. */
  isLoose: boolean;
  isRunning: boolean;
};

const NOTHING: Found = { matches: [], isLoose: false, isRunning: false };

function matchesOf(pages: Word[][], q: string, match: 'phrase' | 'any'): Match[] {
  const matches: Match[] = [];
  for (const [n, words] of pages.entries()) {
    for (const { start, end } of findWords(words, q, match)) matches.push({ start, end, page: n + 1 });
    if (matches.length >= MAX_MATCHES) break;
  }
  return matches.slice(0, MAX_MATCHES);
}

/** Returns the words of a page. A damaged page has none, so it does not keep the others from being searched. */
export async function readWords(document: PDFDocumentProxy, page: number): Promise<Word[]> {
  try {
    const proxy = await document.getPage(page);
    return wordsOf(textOf(await proxy.getTextContent()));
  } catch {
    return [];
  }
}

/**
 * Returns the matches of a search in the document. The first search reads the text of all pages; meanwhile, the matches
 * are those in the pages read so far.
 */
export function useFind(pdf: OpenedPdf | null, q: string, onError: (error: unknown) => void): Found {
  const [words, setWords] = useState<Word[][]>([]);
  const isWanted = q.trim() !== '';
  const [isStarted, setIsStarted] = useState(false);
  if (isWanted && !isStarted) setIsStarted(true);
  const pages = pdf?.document.numPages ?? 0;

  useEffect(() => {
    if (!pdf || !isStarted) return;
    let isCanceled = false;
    const read: Word[][] = [];
    const readAll = async () => {
      for (let page = 1; page <= pdf.document.numPages && !isCanceled; page += 1) {
        read.push(await pdf.guard(readWords(pdf.document, page)));
        if (page % 20 === 0 || page === pdf.document.numPages) setWords([...read]);
      }
    };
    readAll().catch((error: unknown) => {
      if (!isCanceled) onError(error);
    });
    return () => {
      isCanceled = true;
    };
  }, [pdf, isStarted, onError]);

  return useMemo(() => {
    if (!isWanted) return NOTHING;
    const isRunning = words.length < pages;
    const exact = matchesOf(words, q, 'phrase');
    const isLoose = exact.length === 0 && !isRunning;
    return { matches: isLoose ? matchesOf(words, q, 'any') : exact, isLoose, isRunning };
  }, [words, q, pages, isWanted]);
}
