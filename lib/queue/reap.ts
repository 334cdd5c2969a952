import { z } from 'zod';
import type { Log } from '@/lib/log/logger';
import { removeObjects } from '@/lib/storage/objects';
import { adminDb } from '@/lib/supabase/admin';
import { callRpc } from '@/lib/supabase/call-rpc';
import { dataOf } from '@/lib/supabase/database-error';
import {
  retention,
  SWEEP_CHECKS,
  SWEEP_DOCUMENTS,
  SWEEP_FILES,
  SWEEP_PROJECTS,
  SWEEP_ROUNDS,
  SWEEP_ROWS,
} from './retention';

const reaped = z.object({ dead: z.int(), timed_out: z.int() });
const swept = z.object({ paths: z.array(z.string()), ended: z.boolean() });
const SWEEP_MS = 60 * 60_000;
let sweptAt = 0;

/**
 * Deletes idempotency keys, rate limit buckets, work history and exports past their retention periods. Rows left after
 * `SWEEP_ROUNDS` rounds wait for the next sweep.
 */
async function deleteOldRows(): Promise<void> {
  for (let round = 0; round < SWEEP_ROUNDS; round += 1) {
    const deleted = dataOf(
      await adminDb().rpc('forget_old_rows', {
        p_idempotency_s: retention.idempotencyKeysS,
        p_rate_s: retention.rateBucketsS,
        p_work_s: retention.workS,
        p_exports_s: retention.exportsS,
        p_limit: SWEEP_ROWS,
      }),
    );
    if (deleted < SWEEP_ROWS) return;
  }
}

/** Deletes audit log events past their retention period, which the database defines. */
async function deleteOldAuditEvents(): Promise<void> {
  for (let round = 0; round < SWEEP_ROUNDS; round += 1) {
    if (dataOf(await adminDb().rpc('forget_audit_events', { p_limit: SWEEP_ROWS })) < SWEEP_ROWS) return;
  }
}

/**
 * Removes the rows of images that were deleted too long ago to be restored, unless a document, one of its versions or a
 * page template still shows them. The files of the removed rows become orphans.
 */
async function removeDeletedImages(log: Log): Promise<void> {
  const args = { p_age_s: retention.deletedImagesS, p_limit: SWEEP_ROWS };
  const removed = dataOf(await adminDb().rpc('remove_deleted_images', args));
  if (removed > 0) log.info({ removed }, 'deleted images removed');
}

/** Removes share links that expired or were revoked long ago. */
async function removeEndedShares(): Promise<void> {
  dataOf(await adminDb().rpc('remove_ended_shares', { p_age_s: retention.shareLinksS, p_limit: SWEEP_ROWS }));
}

/** Removes projects that were deleted too long ago to be restored, with all their rows. Their files become orphans. */
async function removeDeletedProjects(log: Log): Promise<void> {
  const args = { p_age_s: retention.deletedProjectsS, p_limit: SWEEP_PROJECTS };
  const removed = dataOf(await adminDb().rpc('remove_deleted_projects', args));
  if (removed > 0) log.info({ removed }, 'deleted projects removed');
}

/** Removes documents that were deleted too long ago to be restored, with their versions, exports and share links. */
async function removeDeletedDocuments(log: Log): Promise<void> {
  const args = { p_age_s: retention.deletedDocumentsS, p_limit: SWEEP_DOCUMENTS };
  const removed = dataOf(await adminDb().rpc('remove_deleted_documents', args));
  if (removed > 0) log.info({ removed }, 'deleted documents removed');
}

/** Removes files that no row refers to, continuing where the previous sweep (by any process) stopped. */
async function removeOrphans(log: Log): Promise<void> {
  for (let round = 0; round < SWEEP_ROUNDS; round += 1) {
    const args = {
      p_min_age_s: retention.orphansS,
      p_min_output_age_s: retention.outputsS,
      p_checks: SWEEP_CHECKS,
      p_limit: SWEEP_FILES,
    };
    const { paths, ended } = await callRpc('sweep_orphans', args, swept);
    await removeObjects(paths);
    if (paths.length > 0) log.info({ removed: paths.length }, 'orphaned files removed');
    if (ended) return;
  }
}

/**
 * Fails runs that are past their deadline and work items whose last attempt was lost. Once an hour, also removes old
 * rows and audit events, deleted images, documents and projects, ended share links and orphaned files. Returns the
 * numbers of failed work items (`dead`) and failed runs (`timedOut`).
 */
export async function reap(log: Log): Promise<{ dead: number; timedOut: number }> {
  const result = await callRpc('work_reap', {}, reaped);
  if (result.dead + result.timed_out > 0) log.warn(result, 'work reaped');
  if (Date.now() - sweptAt > SWEEP_MS) {
    sweptAt = Date.now();
    await deleteOldRows();
    await deleteOldAuditEvents();
    await removeDeletedImages(log);
    await removeEndedShares();
    await removeDeletedDocuments(log);
    await removeDeletedProjects(log);
    await removeOrphans(log);
  }
  return { dead: result.dead, timedOut: result.timed_out };
}
