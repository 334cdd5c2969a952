'use client';

import { useCallback, useEffect, useMemo, useReducer, useState } from 'react';
import { z } from 'zod';
import { postCancel, readExport, readExports } from '@/components/editor/export/export-calls';
import {
  type ExportListState,
  emptyExportList,
  exportListReducer,
} from '@/components/editor/export/export-list-state';
import { ApiError } from '@/lib/http/client';
import { coalesced } from './coalesced';
import { useRealtimeTopic } from './use-realtime-topic';

const POLL_MS = 2_000;
const ofExport = z.object({ exportJobId: z.string(), status: z.string(), pagesDone: z.int() });

export type Exports = ExportListState & {
  error: unknown;
  reload: () => void;
  loadMore: () => void;
  /** Reads one job again, such as a new one. */
  refresh: (jobId: string) => Promise<void>;
  cancel: (jobId: string) => Promise<void>;
};

/** The exports of a project with live updates; exports that were running before a reload appear too. */
export function useExports(projectId: string): Exports {
  const [state, dispatch] = useReducer(exportListReducer, emptyExportList);
  const [error, setError] = useState<unknown>(null);

  const first = useMemo(
    () =>
      coalesced(async (signal) => {
        try {
          dispatch({ type: 'read', page: await readExports(projectId, null, signal) });
          setError(null);
        } catch (error) {
          if (!signal.aborted) setError(error);
        }
      }),
    [projectId],
  );
  useEffect(() => {
    void first.run();
    return first.stop;
  }, [first]);

  const refresh = useCallback(async (jobId: string) => {
    dispatch({ type: 'changed', job: await readExport(jobId) });
  }, []);
  useRealtimeTopic({
    topic: `project:${projectId}`,
    event: 'export',
    pollMs: POLL_MS,
    onResync: () => void first.run(),
    isUnfinished: () => state.jobs?.some(({ status }) => status === 'processing') ?? false,
    onEvent: (payload) => {
      const event = ofExport.safeParse(payload).data;
      if (!event) return;
      if (event.status === 'processing') {
        dispatch({ type: 'progressed', jobId: event.exportJobId, pagesDone: event.pagesDone });
      } else {
        refresh(event.exportJobId).catch(() => void first.run());
      }
    },
  });

  const { nextCursor } = state;
  const loadMore = useCallback(async () => {
    if (nextCursor === null) return;
    try {
      dispatch({ type: 'extended', page: await readExports(projectId, nextCursor) });
    } catch (error) {
      setError(error);
    }
  }, [projectId, nextCursor]);

  const cancel = useCallback(
    async (jobId: string) => {
      try {
        dispatch({ type: 'changed', job: await postCancel(jobId) });
      } catch (error) {
        // It ended a moment before, so show its result.
        if (error instanceof ApiError && error.code === 'state_conflict') return refresh(jobId);
        throw error;
      }
    },
    [refresh],
  );
  return {
    ...state,
    error,
    reload: () => void first.run(),
    loadMore: () => void loadMore(),
    refresh,
    cancel,
  };
}
