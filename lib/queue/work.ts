import type { Log } from '@/lib/log/logger';

/** A claimed piece of work: which row it serves, and the lease that makes it ours. */
export type WorkItem = {
  id: number;
  kind: string;
  subjectId: string;
  run: number;
  /** 1 at the first try. */
  attempt: number;
  leaseToken: string;
  /** The request that ordered it; null where the database did by itself. */
  requestId: string | null;
};

/** What became of a try. */
export type WorkOutcome =
  /** The workflow service took it; its callback is due by then. */
  | { type: 'dispatched'; deadline: Date }
  /** The handler has closed the item itself, or the subject is gone. */
  | { type: 'closed' }
  | { type: 'failed'; code: string; error: string; retryable: boolean; retryAfterS?: number };

/** Does the work of one kind. `signal` fires when the lease is lost or the process stops: then nothing more may be said. */
export type WorkHandler = ((item: WorkItem, signal: AbortSignal, log: Log) => Promise<WorkOutcome>) & {
  /** How many of the kind one process does at a time, where it is heavy; the rest is left to others. */
  parallel?: number;
};
export type WorkHandlers = Record<string, WorkHandler>;
