'use client';

import type { RealtimeChannel } from '@supabase/supabase-js';
import { useCallback, useRef } from 'react';
import { z } from 'zod';
import { readJob } from '@/components/studio/image-gen-calls';
import type { JobEvent } from '@/components/studio/image-gen-state';
import { imageStatus } from '@/lib/image-gen/schema';
import { browserClient } from '@/lib/supabase/browser';
import { followJob } from './job-channels';
import { usePublicConfig } from './use-public-config';

/** What a live channel tells of a job. */
export const jobEvent = z.object({
  jobId: z.string(),
  status: imageStatus,
  statusSeq: z.number(),
  run: z.number(),
});

/** Following single jobs by their own channels; `releaseAll` ends what was not ended by then. */
export function useJobSubscriptions() {
  const config = usePublicConfig();
  const releases = useRef(new Set<() => void>());

  const subscribeToJob = useCallback(
    (jobId: string, callback: (event: JobEvent) => void): RealtimeChannel => {
      let newest = -1;
      let active = true;
      const tell = ({ jobId, status, statusSeq, run }: JobEvent) => {
        if (!active || statusSeq <= newest) return;
        newest = statusSeq;
        callback({ jobId, status, statusSeq, run });
      };
      const { channel, release } = followJob(browserClient(config), jobId, {
        onEvent: (payload) => {
          const event = jobEvent.safeParse(payload);
          if (event.success) tell(event.data);
        },
        // A reading that fails is made up for by the next event.
        onJoined: () => void readJob(jobId).then(tell, () => undefined),
      });
      releases.current.add(() => {
        active = false;
        release();
      });
      return channel;
    },
    [config],
  );

  const releaseAll = useCallback(() => {
    for (const release of releases.current) release();
    releases.current.clear();
  }, []);

  return { subscribeToJob, releaseAll };
}
