import type { Log } from '@/lib/log/logger';

/** A claimed work item. `subjectId` is the id of the row to process, such as a spec or an image job. */
export type WorkItem = {
  id: number;
  kind: string;
  subjectId: string;
  run: number;
  /** 1 for the first attempt. */
  attempt: number;
  leaseToken: string;
  /** The id of the request that led to the item, or null if none did. */
  requestId: string | null;
};

export type WorkOutcome =
  /** The workflow service accepted the item. Its callback is due by `deadline`. */
  | { type: 'dispatched'; deadline: Date }
  /** There is nothing to report, because the handler has closed the item itself or the item no longer applies. */
  | { type: 'closed' }
  | {
      type: 'failed';
      code: string;
      error: string;
      /** What only administrators may read, in the list of triggers. It follows `error`. */
      detail?: string;
      retryable: boolean;
      retryAfterS?: number;
    };

/**
 * Runs work items of one kind. `signal` aborts when the lease is lost or when the process stops. If the lease is lost,
 * no outcome is reported. If the process is stopping, a retryable failure is not reported.
 */
export type WorkHandler = ((item: WorkItem, signal: AbortSignal, log: Log) => Promise<WorkOutcome>) & {
  /**
   * The maximum number of items of this kind that one process runs at a time. The limit for all kinds together applies
   * too.
   */
  parallel?: number;
};
export type WorkHandlers = Record<string, WorkHandler>;
