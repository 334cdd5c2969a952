'use client';

import {
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { readAgain } from '@/hooks/read-again';
import { useDueRun } from '@/hooks/use-due-run';
import { useInitial } from '@/hooks/use-initial';
import { useLastKnown } from '@/hooks/use-last-known';
import { type LiveState, useRealtimeTopic } from '@/hooks/use-realtime-topic';
import type { Spec, SpecCounts, SpecsResponse } from '@/lib/specs/schema';
import { describeChange } from './describe-change';
import { readSpecs } from './spec-calls';
import { addEvent, type SpecEvents, specEvent, withEvents } from './spec-events';
import { filtersQuery, type SpecListFilters } from './spec-filters';

const SETTLE_MS = 300;
/**
 * Maximum delay of a read after a progress event, in milliseconds. The read is not urgent, because the event itself
 * contains the progress. The read only adds notes and times.
 */
const PROGRESS_MS = 5_000;

/** How long a list and all its loaded pages stay cached after the user leaves it, in milliseconds. */
const KEEP_MS = 10 * 60_000;

const listKey = ['specs', 'list'];

/** Removes the cached lists that are not on screen, so that none of them briefly shows a deleted spec again. */
export function forgetSpecLists(queryClient: QueryClient): void {
  queryClient.removeQueries({ queryKey: listKey, type: 'inactive' });
}

/**
 * Returns the specs of all pages. A spec that moved between two reads can be on two pages; the later page's copy wins.
 */
function specsOf(pages: SpecsResponse[]): Spec[] {
  const specs = pages.flatMap((page) => page.specs);
  return [...new Map(specs.map((spec) => [spec.specUploadId, spec])).values()];
}

export type LiveSpecList = {
  specs: Spec[];
  counts: SpecCounts;
  countsAreMinimums: boolean;
  hasMore: boolean;
  announcement: string | undefined;
  live: LiveState;
  /** `replacing`: the list for new filters is loading, and the previous list is still shown. */
  loading: 'no' | 'replacing' | 'more';
  error: unknown;
  reload: () => void;
  loadMore: () => void;
  /**
   * Loads further pages until `count` specs or all specs are loaded, and returns the ids of the first `count` specs.
   * Returns null if a page cannot be loaded or the filters change in the meantime.
   */
  loadFirst: (count: number) => Promise<string[] | null>;
  removed: (specUploadId: string) => void;
};

/**
 * Returns the list of specs for these filters with live updates. `initial` is the server-rendered first page for
 * `initialFilters`.
 */
export function useSpecList(
  filters: SpecListFilters,
  initialFilters: SpecListFilters,
  initial: SpecsResponse,
): LiveSpecList {
  const queryClient = useQueryClient();
  const key = filtersQuery(filters);
  const initialKey = filtersQuery(initialFilters);
  const first = useInitial(key, key === initialKey ? initial : null);
  const [isKept] = useState(() => queryClient.getQueryData([...listKey, key]) !== undefined);
  const queryKey = [...listKey, key];
  const query = useInfiniteQuery<SpecsResponse, Error, InfiniteData<SpecsResponse>, QueryKey, string | null>({
    queryKey,
    queryFn: ({ pageParam, signal }) => readSpecs(filters, pageParam, signal),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    gcTime: KEEP_MS,
    // Show a cached list immediately, with all its pages, and refetch it.
    refetchOnMount: isKept ? 'always' : false,
    initialData: first ? { pages: [first], pageParams: [null] } : undefined,
  });
  const pages = query.data?.pages;
  const read = useMemo(() => pages && { key, pages }, [key, pages]);
  const lastRead = useLastKnown(read, { key: initialKey, pages: [initial] });
  const [events, setEvents] = useState<SpecEvents>({});
  const shown = useMemo(() => {
    return {
      key: lastRead.key,
      pages: lastRead.pages.length,
      specs: withEvents(specsOf(lastRead.pages), events),
    };
  }, [lastRead, events]);
  const [announced, setAnnounced] = useState<{ shown: typeof shown; text?: string }>({ shown });
  if (announced.shown !== shown) {
    setAnnounced({ shown, text: describeChange(announced.shown, shown, events) ?? announced.text });
  }

  // Many specs often change together, so wait a moment and read them once.
  const refresh = useDueRun(useCallback(() => readAgain(queryClient, listKey), [queryClient]));
  const reload = useCallback(() => refresh.within(SETTLE_MS), [refresh]);

  const { counts, countsAreMinimums = false, nextCursor } = lastRead.pages.at(-1) ?? initial;
  const live = useRealtimeTopic({
    topic: 'specs',
    event: 'spec',
    onEvent: (payload) => {
      const event = specEvent.safeParse(payload).data;
      if (!event) return reload();
      setEvents((current) => addEvent(current, event));
      const spec = shown.specs.find(({ specUploadId }) => specUploadId === event.specUploadId);
      const isOnlyProgress = event.progress !== null && (!spec || spec.status === event.status);
      refresh.within(isOnlyProgress ? PROGRESS_MS : SETTLE_MS);
    },
    onResync: reload,
    isUnfinished: () => counts.pending + counts.processing > 0,
  });

  const loadMore = async () => {
    const interrupts = queryClient.isFetching({ queryKey: listKey }) > 0;
    await query.fetchNextPage();
    if (interrupts) reload();
  };
  const loadFirst = async (count: number) => {
    const loadedPages = () => queryClient.getQueryData<InfiniteData<SpecsResponse>>(queryKey)?.pages ?? [];
    for (;;) {
      const loaded = loadedPages();
      const found = specsOf(loaded);
      if (found.length >= count || loaded.at(-1)?.nextCursor === null) {
        return found.slice(0, count).map(({ specUploadId }) => specUploadId);
      }
      await loadMore();
      if (loadedPages().length <= loaded.length) return null;
    }
  };

  return {
    specs: shown.specs,
    counts,
    countsAreMinimums,
    hasMore: nextCursor !== null,
    announcement: announced.text,
    live,
    loading: query.isFetchingNextPage ? 'more' : query.isLoading ? 'replacing' : 'no',
    error: query.error,
    reload,
    loadMore: () => void loadMore(),
    loadFirst,
    removed: (specUploadId) => {
      const event = { specUploadId, status: 'deleted', statusSeq: 0, progress: null } as const;
      setEvents((current) => addEvent(current, event));
      reload();
    },
  };
}
