import { ApiError } from '@/lib/http/client';
import type { ImageJob, ImageStatus } from '@/lib/image-gen/schema';
import { coalesced } from '../coalesced';
import { readJob, readJobs } from './image-gen-calls';
import { type ImageGenStore, isUnderWay, type JobsPage, jobsAfter, jobsWithoutGaps } from './image-gen-state';

/**
 * Maximum number of unfinished jobs that one resync reads in addition to the first page. Successive resyncs cycle
 * through all unfinished jobs beyond the first page.
 */
const UNFINISHED_PER_RESYNC = 8;

/** A job that may have changed, with its new status if known. */
type Change = [jobId: string, status: ImageStatus | null];
type Waiting = { resolve: () => void; reject: (error: unknown) => void };

/**
 * Creates a reader that keeps a list of jobs fresh with few requests, however long the list is. A read normally fetches
 * only the first page and, one by one, the jobs beyond it that may have changed.
 */
export function createJobsReader({ get, dispatch }: ImageGenStore, projectId: string) {
  /** The next read fetches this many jobs, but at least one page. Kept until a read succeeds. */
  let requestedCount = 0;
  let isResyncDue = false;
  const moved = new Map<Change[0], Change[1]>();
  /** Ids of the unfinished jobs that resyncs have already read in the current cycle. */
  const resynced = new Set<string>();
  const waiting = new Set<Waiting>();

  const reader = coalesced(async (signal) => {
    const { status } = get();
    const count = requestedCount;
    const served = [...waiting];
    try {
      const page = await readJobs({ projectId, status }, count, signal, jobsWithoutGaps(get()));
      if (signal.aborted) return;
      const older = olderToRead(status, page);
      dispatch({ type: 'jobs-read', status, response: page, at: Date.now() });
      if (page.nextCursor === null || requestedCount === count) requestedCount = 0;
      if (page.nextCursor === null) {
        for (const { resolve } of waiting) resolve();
        waiting.clear();
      }
      await readOlder(status, older, signal);
    } catch (error) {
      if (signal.aborted) return;
      dispatch({ type: 'read-failed', error });
      for (const one of served) {
        one.reject(error);
        waiting.delete(one);
      }
    }
  });

  function olderToRead(status: ImageStatus | null, page: JobsPage): Change[] {
    const after = jobsAfter(jobsWithoutGaps(get()), page);
    const afterIds = new Set(after.map(({ jobId }) => jobId));
    const onPage = new Set(page.jobs.map(({ jobId }) => jobId));
    // A job whose new status matches the filter can enter the list at any position, even after the fetched jobs.
    const entersAfter = ([jobId, now]: Change) =>
      page.nextCursor !== null && now !== null && now === status && !onPage.has(jobId);
    const due = new Map([...moved].filter((change) => afterIds.has(change[0]) || entersAfter(change)));
    moved.clear();
    if (isResyncDue) {
      const unfinished = after.filter((job) => isUnderWay(job.status));
      const hadTurn = ({ jobId }: ImageJob) => resynced.has(jobId);
      const inTurn = [...unfinished.filter((job) => !hadTurn(job)), ...unfinished.filter(hadTurn)];
      if (unfinished.every(hadTurn)) resynced.clear();
      for (const { jobId, status } of inTurn.slice(0, UNFINISHED_PER_RESYNC)) {
        resynced.add(jobId);
        due.set(jobId, status);
      }
    }
    isResyncDue = false;
    return [...due];
  }

  async function readOlder(status: ImageStatus | null, changes: Change[], signal: AbortSignal) {
    const jobs: ImageJob[] = [];
    for (const [index, change] of changes.entries()) {
      try {
        jobs.push(await readJob(change[0], signal));
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ApiError && error.status === 404) continue;
        // Leave the rest to the next read, which tries this job last.
        for (const [jobId, status] of [...changes.slice(index + 1), change]) moved.set(jobId, status);
        break;
      }
      if (signal.aborted) return;
    }
    if (jobs.length > 0) dispatch({ type: 'older-jobs-read', status, jobs, at: Date.now() });
  }

  return {
    /** Reads the first page, and the jobs beyond it that `changed` has reported. */
    run: reader.run,
    /** Records for the next read that a job may have changed. `status` is its new status, or null if unknown. */
    changed: (jobId: string, status: ImageStatus | null) => {
      moved.set(jobId, status);
    },
    /** Like `run`, but also reads some of the unfinished jobs beyond the first page. */
    resync: () => {
      isResyncDue = true;
      return reader.run();
    },
    /** Reads all shown jobs again. */
    renew: () => {
      const { jobs, jobsRead } = get();
      requestedCount = Math.max(requestedCount, jobsRead ? jobs.length : 0);
      return reader.run();
    },
    /** Reads all jobs. Resolves once they are loaded. Rejects with the error if a read fails. */
    readAll: () =>
      new Promise<void>((resolve, reject) => {
        requestedCount = Number.POSITIVE_INFINITY;
        waiting.add({ resolve, reject });
        void reader.run();
      }),
    /** Aborts the current read and starts one under the current filter. */
    restart: () => {
      reader.stop();
      moved.clear();
      return reader.run();
    },
    /**
     * Aborts the current read and forgets what the next read should fetch. Pending `readAll` calls reject with an
     * `AbortError`.
     */
    stop: () => {
      reader.stop();
      requestedCount = 0;
      isResyncDue = false;
      moved.clear();
      const error = new DOMException('These jobs are no longer shown.', 'AbortError');
      for (const { reject } of waiting) reject(error);
      waiting.clear();
    },
  };
}
