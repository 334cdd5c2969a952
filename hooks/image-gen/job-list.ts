import type { ImageStatus } from '@/lib/image-gen/schema';
import { createDueRun } from '../due-run';
import { JOBS_PAGE, readJobsPage } from './image-gen-calls';
import type { ImageGenStore, JobEvent } from './image-gen-state';
import { createJobsReader } from './jobs-reader';

const SETTLE_MS = 250;
/**
 * Maximum delay of a read after a progress event, in milliseconds. The read is not urgent, because the event itself
 * contains the progress. The read only adds notes and times.
 */
const PROGRESS_MS = 5_000;

/** Creates the job list of a project: its filter, its pages, and the timing of its reads. */
export function createJobList(store: ImageGenStore, projectId: string) {
  const { get, dispatch } = store;
  const reader = createJobsReader(store, projectId);
  // Many jobs often change at the same time, so wait a moment and read them all in one run.
  const settled = createDueRun(() => void reader.run());
  const changed = (jobId: string, status: ImageStatus | null, withinMs = SETTLE_MS) => {
    reader.changed(jobId, status);
    settled.within(withinMs);
  };

  return {
    read: reader.run,
    resync: reader.resync,
    renew: reader.renew,
    fetchJobs: reader.readAll,
    /** Reads a job again soon, after a request that may have changed it. */
    readSoon: (jobId: string) => changed(jobId, null),
    /** Shows a broadcast change immediately, and reads the job soon. */
    apply: (event: JobEvent) => {
      const { jobId, status, progress } = event;
      const listed = get().jobs.find((job) => job.jobId === jobId);
      const isOnlyProgress = progress !== null && (!listed || listed.status === status);
      dispatch({ type: 'event-received', event });
      changed(jobId, status, isOnlyProgress ? PROGRESS_MS : SETTLE_MS);
    },
    filterJobs: (status: ImageStatus | null) => {
      if (get().status === status) return;
      dispatch({ type: 'filtered', status });
      void reader.restart();
    },
    fetchMoreJobs: async () => {
      const { status, nextCursor: cursor } = get();
      if (!cursor) return;
      try {
        const response = await readJobsPage({ projectId, status }, JOBS_PAGE, cursor);
        dispatch({ type: 'jobs-extended', status, cursor, response, at: Date.now() });
      } catch (error) {
        dispatch({ type: 'read-failed', error });
      }
    },
    stop: () => {
      settled.cancel();
      reader.stop();
    },
  };
}
