import { isDiskFull } from '@/lib/errors/error-parts';
import { DISK_FULL, isHttpError } from '@/lib/errors/problem';
import { logError } from '@/lib/log/log-error';
import type { Log } from '@/lib/log/logger';
import { withRequestId } from '@/lib/log/request-id';
import { adminDb } from '@/lib/supabase/admin';
import { databaseError, dataOf } from '@/lib/supabase/database-error';
import { type SpanRecorder, withSpan } from '@/lib/telemetry/with-span';
import type { WorkHandler, WorkItem, WorkOutcome } from './work';

export const LEASE_S = 30;

/** Renews the lease until the returned function is called. Aborts `lost` if this worker no longer holds the lease. */
function keepLease(item: WorkItem, lost: AbortController): () => void {
  const timer = setInterval(
    async () => {
      const { data, error } = await adminDb().rpc('work_heartbeat', {
        p_id: item.id,
        p_token: item.leaseToken,
        p_lease_s: LEASE_S,
      });
      if (!error && data === false) lost.abort(new Error('lease lost'));
    },
    (LEASE_S * 1000) / 3,
  );
  return () => clearInterval(timer);
}

async function report(item: WorkItem, outcome: WorkOutcome): Promise<string> {
  if (outcome.type === 'closed') return 'closed';
  const lease = { p_id: item.id, p_token: item.leaseToken };
  if (outcome.type === 'dispatched') {
    const ours = dataOf(
      await adminDb().rpc('work_dispatched', { ...lease, p_deadline: outcome.deadline.toISOString() }),
    );
    return ours ? 'dispatched' : 'lost';
  }
  return dataOf(
    await adminDb().rpc('work_failed', {
      ...lease,
      p_code: outcome.code,
      p_error: outcome.error,
      p_retryable: outcome.retryable,
      p_retry_after_s: outcome.retryAfterS ?? 0,
      p_detail: outcome.detail,
    }),
  );
}

function reasonOf(error: unknown): string {
  if (isDiskFull(error)) return DISK_FULL;
  const isUnavailable = isHttpError(error) && error.code === 'unavailable';
  return isUnavailable
    ? 'Our storage or database was unavailable.'
    : 'The work failed because of an error on our side.';
}

/** Runs the handler. Any thrown error counts as a failure that can be retried. */
async function attempt(
  handler: WorkHandler,
  item: WorkItem,
  signal: AbortSignal,
  log: Log,
): Promise<WorkOutcome> {
  try {
    return await handler(item, signal, log);
  } catch (error) {
    // An aborted handler has not failed, so its error is not logged.
    if (!signal.aborted) logError(log, error, 'work failed');
    return { type: 'failed', code: 'unreachable', error: reasonOf(error), retryable: true };
  }
}

async function runInSpan(
  handler: WorkHandler,
  item: WorkItem,
  stop: AbortSignal,
  log: Log,
  { label, note }: SpanRecorder,
): Promise<void> {
  const itemLog = log.child({
    work: item.id,
    kind: item.kind,
    subjectId: item.subjectId,
    run: item.run,
    attempt: item.attempt,
    ...(item.requestId ? { requestId: item.requestId } : {}),
  });
  const { subjectId, run, attempt: tries } = item;
  note({ work: item.id, subjectId, run, attempt: tries, requestId: item.requestId ?? undefined });
  const lost = new AbortController();
  const release = keepLease(item, lost);
  try {
    const signal = AbortSignal.any([lost.signal, stop]);
    const outcome = await withRequestId(item.requestId, () => attempt(handler, item, signal, itemLog));
    label({ outcome: outcome.type === 'failed' ? outcome.code : outcome.type });
    if (lost.signal.aborted) return itemLog.warn('lease lost');
    if (stop.aborted && outcome.type === 'failed' && outcome.retryable) {
      const { error, status } = await adminDb().rpc('work_release', {
        p_id: item.id,
        p_token: item.leaseToken,
      });
      if (error) throw databaseError(error, status);
      return itemLog.info('work handed back');
    }
    const state = await report(item, outcome);
    itemLog.info(
      { outcome: outcome.type, state, ...(outcome.type === 'failed' ? { reason: outcome.error } : {}) },
      'work',
    );
  } catch (error) {
    logError(itemLog, error, 'work not reported');
  } finally {
    release();
  }
}

/**
 * Runs one claimed item and reports the outcome. If the process is stopping and the item fails in a way that can be
 * retried, releases the item instead, and the attempt does not count. If reporting fails, the lease expires and a
 * worker retries the item, unless it has no attempts left.
 */
export function runItem(handler: WorkHandler, item: WorkItem, stop: AbortSignal, log: Log): Promise<void> {
  return withSpan('work', { kind: item.kind }, (span) => runInSpan(handler, item, stop, log, span));
}
