'use client';

import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { z } from 'zod';
import { filtersQuery, type SpecFilters } from '@/components/specs/spec-filters';
import { initialSpecList, type SpecListState, specListReducer } from '@/components/specs/spec-list-state';
import { callApi } from '@/lib/http/client';
import { type SpecsResponse, specStatus, specsResponse } from '@/lib/specs/schema';
import { type LiveState, useRealtimeTopic } from './use-realtime-topic';

const PAGE = 25;
const MAX_PAGE = 100;
const SETTLE_MS = 300;

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
  const latest = useRef({ filters, shown: state.specs.length, cursor: state.nextCursor });
  const shownKey = useRef(filtersQuery(initialFilters));
  const request = useRef<AbortController | null>(null);
  latest.current = { filters, shown: state.specs.length, cursor: state.nextCursor };

  const run = useCallback(async (mode: 'replaced' | 'refreshed' | 'extended') => {
    request.current?.abort();
    const controller = new AbortController();
    request.current = controller;
    const { filters, shown, cursor } = latest.current;
    try {
      if (mode === 'extended' && cursor) {
        const query = filtersQuery(filters, { limit: String(PAGE), cursor });
        const response = await callApi(`/api/admin/specs?${query}`, {
          schema: specsResponse,
          signal: controller.signal,
        });
        dispatch({ type: 'extended', response });
      } else {
        const response = await readSpecs(filters, mode === 'refreshed' ? shown : PAGE, controller.signal);
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
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const reload = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      if (request.current) return reload();
      void run('refreshed');
    }, SETTLE_MS);
  }, [run]);
  useEffect(
    () => () => {
      if (timer.current) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );

  const live = useRealtimeTopic({
    topic: 'specs',
    event: 'spec',
    onEvent: (payload) => {
      const event = specEvent.safeParse(payload);
      if (event.success) dispatch({ type: 'event', event: event.data });
      reload();
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
