'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useLastKnown } from '@/hooks/use-last-known';
import type { SearchResponse } from '@/lib/matlib/schema';
import { readMaterials } from './material-calls';
import { emptyMaterialList, type MaterialList, materialListOf, nextOffsetOf } from './material-list';
import { useLiveCounts } from './use-live-counts';

export type MaterialSearch = MaterialList & {
  /** `replacing` while the first page of a new search is loading, `more` while a further page is loading. */
  loading: 'no' | 'replacing' | 'more';
  /**
   * The error of the last request. `of` says whether the request was for the first page of a search (`replacing`) or
   * for a further page (`more`). Null while a request is running and after a successful one.
   */
  failure: { error: unknown; of: 'replacing' | 'more' } | null;
  /** Repeats the failed request. */
  retry: () => void;
  loadMore: () => void;
};

/** The first page of the search with this key. */
export type FirstPage = { key: string; response: SearchResponse };

/**
 * Loads the results of a search page by page. The results of the previous search remain until the first page of the new
 * search has loaded. `initial` is the first page of a search, as read on the server. It is used only if its key equals
 * `key`.
 */
export function useMaterialSearch(key: string, initial: FirstPage | null): MaterialSearch {
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, refetch, fetchNextPage } =
    useInfiniteQuery({
      queryKey: ['materials', key],
      queryFn: ({ pageParam, signal }) => readMaterials(key, pageParam, signal),
      initialPageParam: 0,
      getNextPageParam: nextOffsetOf,
      initialData: initial?.key === key ? { pages: [initial.response], pageParams: [0] } : undefined,
    });
  const pages = data?.pages;
  const facets = useLiveCounts(key, pages?.[0]?.facets);
  const read = useMemo(() => pages && materialListOf(key, pages, facets), [key, pages, facets]);
  const list = useLastKnown(read, emptyMaterialList);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return {
    ...list,
    loading: isFetchingNextPage ? 'more' : isFetching && !data ? 'replacing' : 'no',
    failure: error && !isFetching ? { error, of: data ? 'more' : 'replacing' } : null,
    retry: () => void (data ? fetchNextPage() : refetch()),
    loadMore,
  };
}
