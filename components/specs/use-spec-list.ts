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
import { filtersQuery, type SpecFilters } from './spec-filters';

const SETTLE_MS = 300;
/**
 * How long a progress event may wait. Progress is in the broadcast itself, so the list is read only for notes and
 * times.
 */
const PROGRESS_MS = 5_000;

/**
 * How long a list is kept with all its pages after the user leaves it, to be shown when the user returns from a spec.
 */
const KEEP_MS = 10 * 60_000;

const listKey = ['specs', 'list'];

/** Forgets the lists that the user has left, after a change that makes them wrong until they are read again. */
export function forgetSpecLists(queryClient: QueryClient): void {
  queryClient.removeQueries({ queryKey: listKey, type: 'inactive' });
}

/** Pages read at different times can both have a spec that has moved between them: keep the later one. */
function specsOf(pages: SpecsResponse[]): Spec[] {
  const specs = pages.flatMap((page) => page.specs);
  return [...new Map(specs.map((spec) => [spec.specUploadId, spec])).values()];
}

export type SpecList = {
  specs: Spec[];
  counts: SpecCounts;
  countsAreMinimums: boolean;
  hasMore: boolean;
  announcement: string | undefined;
  live: LiveState;
  /** `replacing`: the list for another filter is loading. */
  loading: 'no' | 'replacing' | 'more';
  error: unknown;
  reload: () => void;
  loadMore: () => void;
  removed: (specUploadId: string) => void;
};

/**
 * Returns the list of specs for these filters with live updates. `initial` is what the server read for
 * `initialFilters`.
 */
export function useSpecList(
  filters: SpecFilters,
  initialFilters: SpecFilters,
  initial: SpecsResponse,
): SpecList {
  const queryClient = useQueryClient();
  const key = filtersQuery(filters);
  const initialKey = filtersQuery(initialFilters);
  const first = useInitial(key, key === initialKey ? initial : null);
  const [isKept] = useState(() => queryClient.getQueryData([...listKey, key]) !== undefined);
  const query = useInfiniteQuery<SpecsResponse, Error, InfiniteData<SpecsResponse>, QueryKey, string | null>({
    queryKey: [...listKey, key],
    queryFn: ({ pageParam, signal }) => readSpecs(filters, pageParam, signal),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    gcTime: KEEP_MS,
    // A kept list is shown at once, with all its pages, and read again.
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
    loadMore: () => {
      const interrupts = queryClient.isFetching({ queryKey: listKey }) > 0;
      void query.fetchNextPage().then(() => interrupts && reload());
    },
    removed: (specUploadId) => {
      const event = { specUploadId, status: 'deleted', statusSeq: 0, progress: null } as const;
      setEvents((current) => addEvent(current, event));
      reload();
    },
  };
}
