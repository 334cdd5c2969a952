const DAY_S = 24 * 60 * 60;

/** The retention periods of temporary data, in seconds. The sweep in `reap` applies them. */
export const retention = {
  /** How long a repeated Idempotency-Key returns the first response. */
  idempotencyKeysS: DAY_S,
  /**
   * Rate limit buckets. The period starts when the full limit is available again, so deleting a bucket affects no
   * limit.
   */
  rateBucketsS: 60 * 60,
  /** Finished work items, triggers, callbacks (including rejected ones) and events, kept for looking up past runs. */
  workS: 30 * DAY_S,
  /** Finished exports with their PDFs. The document can be exported again. */
  exportsS: 90 * DAY_S,
  /** Deleted images, which can be restored within this period. */
  deletedImagesS: 30 * DAY_S,
  /** Share links. The period starts when a link expires or is revoked. */
  shareLinksS: 30 * DAY_S,
  /** Deleted projects, which can be restored within this period. */
  deletedProjectsS: 30 * DAY_S,
  /** Deleted documents, which can be restored within this period. */
  deletedDocumentsS: 30 * DAY_S,
  /** Files without a row. Kept longer than any upload takes to write its row. */
  orphansS: 60 * 60,
  /**
   * Files that a workflow uploaded but did not report. Kept until a late success callback can no longer correct the
   * run.
   */
  outputsS: 2 * DAY_S,
} as const;

/** The maximum number of rows of one kind that one statement deletes, so that no statement holds its locks for long. */
export const SWEEP_ROWS = 5_000;
/** The maximum number of deleted projects that one sweep removes. Low, because each takes all of its rows with it. */
export const SWEEP_PROJECTS = 20;
/**
 * The maximum number of deleted documents that one sweep removes. Low, because each takes all of its versions with it.
 */
export const SWEEP_DOCUMENTS = 100;
/** The maximum number of files that one statement checks for rows that refer to them. */
export const SWEEP_CHECKS = 5_000;
/** The maximum number of files that one storage request removes. */
export const SWEEP_FILES = 100;
/**
 * The maximum number of rounds per kind of data in one sweep. Limited, because the work loop does not check for due
 * items during a sweep. A sweep checks at most 100,000 files and removes at most 2,000.
 */
export const SWEEP_ROUNDS = 20;

/** Returns the time until which something deleted at `deletedAt` can be restored, if it is kept for `keptS` seconds. */
export function restorableUntil(deletedAt: string, keptS: number): string {
  return new Date(Date.parse(deletedAt) + keptS * 1000).toISOString();
}
