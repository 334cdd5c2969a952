'use client';

import { hashKey, type InfiniteData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import type { Page } from './pages';
import { useInitial } from './use-initial';

export type Pages<Item> = {
  /** Null until the first page has been read. */
  items: Item[] | null;
  hasMore: boolean;
  loading: boolean;
  error: unknown;
  /** Reads all shown pages again. */
  reload: () => Promise<unknown>;
  loadMore: () => Promise<void>;
  /** Milliseconds between reads while the browser tab is visible. Absent if the list is not polled. */
  pollMs?: number;
};

type Options<Item> = {
  /** Identifies the list that `read` reads. */
  queryKey: QueryKey;
  read: (cursor: string | null, signal: AbortSignal) => Promise<Page<Item>>;
  /** First page for the initial key, if the server has fetched it. */
  initial?: Page<Item> | null;
  pollMs?: number;
  /** If false, the list keeps its current items until `reload` or `loadMore` is called. */
  enabled?: boolean;
};

function itemsOf<Item>({ pages }: InfiniteData<Page<Item>>): Item[] {
  return pages.flatMap(({ items }) => items);
}

/** Reads a list page by page. */
export function usePages<Item>({
  queryKey,
  read,
  initial = null,
  pollMs,
  enabled,
}: Options<Item>): Pages<Item> {
  const first = useInitial(hashKey(queryKey), initial);
  const query = useInfiniteQuery<Page<Item>, Error, Item[], QueryKey, string | null>({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: itemsOf,
    enabled,
    initialData: first ? { pages: [first], pageParams: [null] } : undefined,
    refetchInterval: pollMs ?? false,
    refetchOnWindowFocus: pollMs !== undefined,
  });
  return {
    items: query.data ?? null,
    hasMore: query.hasNextPage,
    loading: query.isFetching,
    error: query.error,
    reload: () => query.refetch(),
    loadMore: async () => {
      // `fetchNextPage` cancels a refetch in progress, so repeat the refetch afterwards.
      const interrupts = query.isRefetching;
      await query.fetchNextPage();
      if (interrupts) await query.refetch();
    },
    pollMs,
  };
}
