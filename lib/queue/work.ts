import type { Log } from '@/lib/log/logger';

/** A claimed work item: the row that it is about (`subjectId`), and the token of its lease. */
export type WorkItem = {
  id: number;
  kind: string;
  subjectId: string;
  run: number;
  /** 1 for the first attempt. */
  attempt: number;
  leaseToken: string;
  /** The id of the request that created the item, or null if the database created it. */
  requestId: string | null;
};

/** The outcome of an attempt. */
export type WorkOutcome =
  /** The workflow service accepted the item. Its callback is due by `deadline`. */
  | { type: 'dispatched'; deadline: Date }
  /** The handler has closed the item itself, or its row no longer exists. */
  | { type: 'closed' }
  | { type: 'failed'; code: string; error: string; retryable: boolean; retryAfterS?: number };

/**
 * Runs work items of one kind. `signal` aborts when the lease is lost or the process stops; a retryable failure after
 * that is not reported.
 */
export type WorkHandler = ((item: WorkItem, signal: AbortSignal, log: Log) => Promise<WorkOutcome>) & {
  /** How many items of this kind one process runs at a time, within the limit for all kinds. */
  parallel?: number;
};
export type WorkHandlers = Record<string, WorkHandler>;
