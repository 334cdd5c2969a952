'use client';

import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { z } from 'zod';
import { filtersQuery, type SpecFilters } from '@/components/specs/spec-filters';
import { initialSpecList, type SpecListState, specListReducer } from '@/components/specs/spec-list-state';
import { callApi } from '@/lib/http/client';
import { type SpecsResponse, specStatus, specsResponse } from '@/lib/specs/schema';
import { createDueRun } from './due-run';
import { type LiveState, useRealtimeTopic } from './use-realtime-topic';

const PAGE = 25;
const MAX_PAGE = 100;
const SETTLE_MS = 300;
/** Progress is in the broadcast itself, so the list is read only for notes and times. */
const PROGRESS_MS = 5_000;

const specEvent = z.object({
  specUploadId: z.string(),
  status: z.union([specStatus, z.literal('deleted')]),
  statusSeq: z.number(),
  progress: z.number().nullable(),
});

export type SpecList = SpecListState & {
  live: LiveState;
  /** `replacing`: the list for another filter is loading. */
  loading: 'no' | 'replacing' | 'more';
  error: unknown;
  reload: () => void;
  loadMore: () => void;
  removed: (specUploadId: string) => void;
};

/** Reads as many pages as needed to show `count` specs again. */
async function readSpecs(filters: SpecFilters, count: number, signal: AbortSignal): Promise<SpecsResponse> {
  const read = (limit: number, cursor: string | null) => {
    const query = filtersQuery(filters, { limit: String(limit), ...(cursor ? { cursor } : {}) });
    return callApi(`/api/admin/specs?${query}`, { schema: specsResponse, signal });
  };
  let response = await read(Math.min(Math.max(count, PAGE), MAX_PAGE), null);
  while (response.nextCursor && response.specs.length < count) {
    const next = await read(Math.min(count - response.specs.length, MAX_PAGE), response.nextCursor);
    response = { ...next, counts: response.counts, specs: [...response.specs, ...next.specs] };
  }
  return response;
}

/** The list of specs for these filters with live updates. `initial` is what the server has read for `initialFilters`. */
export function useSpecList(
  filters: SpecFilters,
  initialFilters: SpecFilters,
  initial: SpecsResponse,
): SpecList {
  const [state, dispatch] = useReducer(specListReducer, initial, initialSpecList);
  const [loading, setLoading] = useState<SpecList['loading']>('no');
  const [error, setError] = useState<unknown>(null);
  const key = filtersQuery(filters);
  const latest = useRef({ filters, specs: state.specs, cursor: state.nextCursor });
  const shownKey = useRef(filtersQuery(initialFilters));
  const request = useRef<AbortController | null>(null);
  latest.current = { filters, specs: state.specs, cursor: state.nextCursor };

  const run = useCallback(async (mode: 'replaced' | 'refreshed' | 'extended') => {
    request.current?.abort();
    const controller = new AbortController();
    request.current = controller;
    const { filters, specs, cursor } = latest.current;
    try {
      if (mode === 'extended' && cursor) {
        const query = filtersQuery(filters, { limit: String(PAGE), cursor });
        const response = await callApi(`/api/admin/specs?${query}`, {
          schema: specsResponse,
          signal: controller.signal,
        });
        dispatch({ type: 'extended', response });
      } else {
        const response = await readSpecs(
          filters,
          mode === 'refreshed' ? specs.length : PAGE,
          controller.signal,
        );
        const key = filtersQuery(filters);
        dispatch({ type: key === shownKey.current ? 'refreshed' : 'replaced', response });
        shownKey.current = key;
      }
      setError(null);
      setLoading('no');
    } catch (error) {
      if (controller.signal.aborted) return;
      setError(error);
      setLoading('no');
    } finally {
      if (request.current === controller) request.current = null;
    }
  }, []);

  useEffect(() => {
    if (key === shownKey.current) return;
    setLoading('replacing');
    void run('replaced');
  }, [key, run]);

  useEffect(() => () => request.current?.abort(), []);

  // Many specs often change at once, so wait until they have settled and read them once.
  const refresh = useMemo(() => {
    const due = createDueRun(() => {
      if (request.current) due.within(SETTLE_MS);
      else void run('refreshed');
    });
    return due;
  }, [run]);
  useEffect(() => refresh.cancel, [refresh]);
  const reload = useCallback(() => refresh.within(SETTLE_MS), [refresh]);

  const live = useRealtimeTopic({
    topic: 'specs',
    event: 'spec',
    onEvent: (payload) => {
      const event = specEvent.safeParse(payload);
      if (!event.success) return reload();
      dispatch({ type: 'event', event: event.data });
      const { specUploadId, status, progress } = event.data;
      const known = latest.current.specs.find((spec) => spec.specUploadId === specUploadId);
      const isOnlyProgress = progress !== null && (!known || known.status === status);
      refresh.within(isOnlyProgress ? PROGRESS_MS : SETTLE_MS);
    },
    onResync: reload,
    isUnfinished: () => state.counts.pending + state.counts.processing > 0,
  });

  return {
    ...state,
    live,
    loading,
    error,
    reload,
    loadMore: () => {
      setLoading('more');
      const interrupted = request.current !== null;
      void run('extended').then(() => {
        if (interrupted) reload();
      });
    },
    removed: (specUploadId) => {
      dispatch({ type: 'event', event: { specUploadId, status: 'deleted', statusSeq: 0, progress: null } });
      reload();
    },
  };
}
