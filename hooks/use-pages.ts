'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { type Page, type PageParams, withNewBeginning } from './pages';

const PAGE = 30;
const MAX_PAGE = 100;

export type Pages<Item> = {
  /** Null until they have been read. */
  items: Item[] | null;
  hasMore: boolean;
  loading: boolean;
  error: unknown;
  reload: () => void;
  loadMore: () => void;
};

type Options<Item> = {
  /** Identifies what `read` reads; another key is another list. */
  key: string;
  read: (page: PageParams, signal: AbortSignal) => Promise<Page<Item>>;
  everyMs: number;
  /** What the server has read for the first key. */
  initial?: Page<Item> | null;
  /** The list is read again whenever it changes. */
  version?: number;
};

/** A list that is read page by page, and its beginning again every `everyMs` while the page is visible. */
export function usePages<Item extends { id: string }>({
  key,
  read,
  everyMs,
  initial = null,
  version = 0,
}: Options<Item>): Pages<Item> {
  const [known, setKnown] = useState<(Page<Item> & { key: string }) | null>(initial && { ...initial, key });
  const [loading, setLoading] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const request = useRef<AbortController | null>(null);
  const latest = useRef({ key, read, known });
  latest.current = { key, read, known };

  const start = useCallback(async (more: boolean) => {
    request.current?.abort();
    const controller = new AbortController();
    request.current = controller;
    const { key, read, known } = latest.current;
    const shown = known?.key === key ? known : null;
    const { signal } = controller;
    setLoading(true);
    try {
      if (more && shown?.nextCursor) {
        const next = await read({ limit: String(PAGE), cursor: shown.nextCursor }, signal);
        setKnown({ key, items: [...shown.items, ...next.items], nextCursor: next.nextCursor });
      } else {
        const limit = Math.min(Math.max(shown?.items.length ?? 0, PAGE), MAX_PAGE);
        setKnown({ key, ...withNewBeginning(shown, await read({ limit: String(limit) }, signal)) });
      }
      setError(null);
    } catch (error) {
      if (!signal.aborted) setError(error);
    } finally {
      if (request.current === controller) {
        request.current = null;
        setLoading(false);
      }
    }
  }, []);

  const isInitial = useRef(initial !== null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key or version requires another read.
  useEffect(() => {
    if (isInitial.current) isInitial.current = false;
    else void start(false);
  }, [key, version, start]);

  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'visible' && !request.current) void start(false);
    };
    const timer = setInterval(refresh, everyMs);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
      request.current?.abort();
    };
  }, [everyMs, start]);

  const current = known?.key === key ? known : null;
  return {
    items: current?.items ?? null,
    hasMore: Boolean(current?.nextCursor),
    loading,
    error,
    reload: () => void start(false),
    loadMore: () => void start(true),
  };
}
