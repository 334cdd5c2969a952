'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { readAgain } from '@/hooks/read-again';
import { type Pages, usePages } from '@/hooks/use-pages';
import { useRealtimeTopic } from '@/hooks/use-realtime-topic';
import type { ExportJob } from '@/lib/export/schema';
import { ApiError } from '@/lib/http/client';
import { postExportCancel, readExports } from './export-calls';
import { isUnknown, type LiveProgress, progressed, withProgress } from './export-progress';

const POLL_MS = 2_000;
const exportEvent = z.object({
  exportJobId: z.string(),
  status: z.string(),
  pagesDone: z.int(),
  imagesDone: z.int(),
  imagesTotal: z.int(),
});

export type Exports = Omit<Pages<ExportJob>, 'reload'> & {
  reload: () => Promise<void>;
  cancel: (jobId: string) => Promise<void>;
};

/** Returns a document's exports, including those started before the browser page was loaded, and updates them live. */
export function useExports(projectId: string, documentId: string): Exports {
  const queryClient = useQueryClient();
  const queryKey = ['exports', documentId];
  const list = usePages({
    queryKey,
    read: async (cursor, signal) => {
      const { jobs, nextCursor } = await readExports({ projectId, documentId }, cursor, signal);
      return { items: jobs, nextCursor };
    },
  });
  const [live, setLive] = useState<LiveProgress>({});
  const reload = () => readAgain(queryClient, queryKey);

  useRealtimeTopic({
    topic: `project:${projectId}`,
    event: 'export',
    pollMs: POLL_MS,
    onResync: () => void reload(),
    isUnfinished: () => list.items?.some(({ status }) => status === 'processing') ?? false,
    onEvent: (payload) => {
      const event = exportEvent.safeParse(payload).data;
      if (!event) return;
      const isProgress = event.status === 'processing';
      if (isProgress) setLive((current) => progressed(current, event));
      // An export that is missing from `list.items` may be new, so reload the list. The reload does not find the export
      // if the export belongs to another document or is on a page of the list that is not loaded. Later progress
      // events of that export do not reload the list again, because `live` then contains the export.
      if (!isProgress || isUnknown(event.exportJobId, list.items, live)) void reload();
    },
  });

  return {
    ...list,
    items: list.items && withProgress(list.items, live),
    reload,
    cancel: async (jobId) => {
      try {
        await postExportCancel(jobId);
      } catch (error) {
        // A conflict means that the export has just finished, so ignore the error and show the result.
        if (!(error instanceof ApiError) || error.code !== 'state_conflict') throw error;
      }
      await reload();
    },
  };
}
