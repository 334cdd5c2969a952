'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { readSwap } from '@/hooks/image-gen/image-gen-calls';
import { isUnderWay, jobEvent } from '@/hooks/image-gen/image-gen-state';
import { useKnownUrls } from '@/hooks/image-gen/use-known-urls';
import { readAgain } from '@/hooks/read-again';
import { useDueRun } from '@/hooks/use-due-run';
import { useRealtimeTopic } from '@/hooks/use-realtime-topic';
import { useRenewal } from '@/hooks/use-renewal';
import { ApiError } from '@/lib/http/client';
import type { Variant } from '@/lib/image-gen/schema';
import type { SwapWithJobs } from '@/lib/image-gen/swaps/schema';

const SETTLE_MS = 250;

export type Swap = {
  /** Null until the swap has been read. */
  swap: SwapWithJobs | null;
  /** The error of the last read; null after a success. */
  error: unknown;
  /** True if the project has no such swap or if this user cannot see it. */
  isMissing: boolean;
  refresh: () => Promise<void>;
  /** Reads the swap again to get new URLs. Must be called when an image does not load. */
  onStale: () => void;
};

/** Returns a material swap with its jobs, updated live. */
export function useSwap(projectId: string, swapId: string): Swap {
  const client = useQueryClient();
  const urls = useKnownUrls();
  const keepUrl = (image: Variant | null) => (image && urls.keep([image])[0]) ?? null;
  const query = useQuery({
    queryKey: ['image-swap', swapId],
    queryFn: async ({ signal }) => {
      const swap = await readSwap(swapId, signal);
      const jobs = swap.jobs.map((job) => ({ ...job, cover: keepUrl(job.cover) }));
      return { ...swap, source: keepUrl(swap.source), jobs };
    },
  });
  const refresh = useCallback(() => readAgain(client, ['image-swap', swapId]), [client, swapId]);
  // Several jobs often change at about the same time, so wait a moment and read them once.
  const settled = useDueRun(refresh);
  const onStale = useRenewal(
    useCallback(() => {
      urls.forget();
      void refresh();
    }, [urls, refresh]),
  );

  // The URL may contain the id of another project's swap.
  const isForeign = query.data !== undefined && query.data.projectId !== projectId;
  const swap = isForeign ? null : (query.data ?? null);
  useRealtimeTopic({
    topic: `project:${projectId}`,
    event: 'job',
    onEvent: (payload) => {
      const id = jobEvent.safeParse(payload).data?.jobId;
      // Include the job of the source image, because the source image can also be starred or deleted.
      const isOurs = id === swap?.sourceJobId || swap?.jobs.some(({ jobId }) => jobId === id);
      if (id !== undefined && (!swap || isOurs)) settled.within(SETTLE_MS);
    },
    onResync: () => settled.within(SETTLE_MS),
    isUnfinished: () => swap?.jobs.some(({ status }) => isUnderWay(status)) ?? false,
  });
  return {
    swap,
    error: query.error,
    isMissing: isForeign || (query.error instanceof ApiError && query.error.status === 404),
    refresh,
    onStale,
  };
}
