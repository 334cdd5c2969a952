'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { readEvents } from '@/components/workflow/event-calls';
import { type EventFilters, eventFiltersQuery } from '@/components/workflow/event-filters';
import { withNewBeginning } from '@/components/workflow/event-pages';
import type { EventsResponse, WorkflowEvent } from '@/lib/workflow/schema';

const MAX_PAGE = 100;
const REFRESH_MS = 10_000;

export type WorkflowEvents = {
  /** Null until they have been read. */
  events: WorkflowEvent[] | null;
  hasMore: boolean;
  loading: boolean;
  error: unknown;
  reload: () => void;
  loadMore: () => void;
};

type Known = EventsResponse & { key: string };

/**
 * The triggers and callbacks for these filters, read again every ten seconds while the page is visible and whenever
 * `version` changes. `initial` is what the server has read for the first filters.
 */
export function useWorkflowEvents(
  filters: EventFilters,
  { initial = null, version = 0 }: { initial?: EventsResponse | null; version?: number } = {},
): WorkflowEvents {
  const key = eventFiltersQuery(filters);
  const [known, setKnown] = useState<Known | null>(initial && { ...initial, key });
  const [loading, setLoading] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const request = useRef<AbortController | null>(null);
  const latest = useRef({ filters, known });
  latest.current = { filters, known };

  const read = useCallback(async (more: boolean) => {
    request.current?.abort();
    const controller = new AbortController();
    request.current = controller;
    const { filters, known } = latest.current;
    const key = eventFiltersQuery(filters);
    const shown = known?.key === key ? known : null;
    const { signal } = controller;
    setLoading(true);
    try {
      if (more && shown) {
        const next = await readEvents(filters, { cursor: shown.nextCursor, signal });
        setKnown({ ...next, key, events: [...shown.events, ...next.events] });
      } else {
        const limit = Math.min(Math.max(shown?.events.length ?? 0, 30), MAX_PAGE);
        setKnown({ ...withNewBeginning(shown, await readEvents(filters, { limit, signal })), key });
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
    else void read(false);
  }, [key, version, read]);

  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'visible' && !request.current) void read(false);
    };
    const timer = setInterval(refresh, REFRESH_MS);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
      request.current?.abort();
    };
  }, [read]);

  const current = known?.key === key ? known : null;
  return {
    events: current?.events ?? null,
    hasMore: Boolean(current?.nextCursor),
    loading,
    error,
    reload: () => void read(false),
    loadMore: () => void read(true),
  };
}
