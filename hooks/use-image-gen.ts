'use client';

import type { RealtimeChannel } from '@supabase/supabase-js';
import { browserClient } from '@/lib/supabase/browser';
import { createImageGen } from './image-gen/image-gen';
import type { ImageGenStart, JobEvent } from './image-gen/image-gen-state';
import { type ImageJobs, useImageStore } from './use-image-jobs';
import { usePublicConfig } from './use-public-config';

export type ImageGen = ImageJobs & {
  /**
   * Calls `callback` with a job's state after each broadcast, poll or (re)connection, if the state is newer than the
   * last one reported. To stop, unsubscribe the returned channel. All subscriptions to the same job share one channel,
   * so unsubscribing it ends them all. All subscriptions also end on unmount.
   */
  subscribeToJob: (jobId: string, callback: (event: JobEvent) => void) => RealtimeChannel;
};

/**
 * Returns what `useImageJobs` returns, plus subscriptions to single jobs. `subscribeToJob` returns its channel
 * synchronously, so the page has to load the realtime library up front. A page without such subscriptions should use
 * `useImageJobs`.
 */
export function useImageGen(projectId: string, start?: ImageGenStart): ImageGen {
  const config = usePublicConfig();
  return useImageStore(
    projectId,
    (start) => createImageGen(projectId, () => browserClient(config), start),
    start,
  );
}
