const DAY_S = 24 * 60 * 60;

/** Retention periods of temporary data in seconds, applied by the sweep of `reap`. */
export const retention = {
  /** How long an Idempotency-Key returns the first response. */
  idempotencyKeysS: DAY_S,
  /** Rate limit buckets, from their last call; a full one drains within minutes. */
  rateBucketsS: 60 * 60,
  /** Finished work items, triggers, callbacks (rejected ones too) and events, so that a run can be looked up afterwards. */
  workS: 30 * DAY_S,
  /** Finished exports with their PDFs: the document can be exported again. */
  exportsS: 90 * DAY_S,
  /** Deleted images, which can be restored until then. */
  deletedImagesS: 30 * DAY_S,
  /** Files without a row: longer than any upload takes to write its row. */
  orphansS: 60 * 60,
  /** Files that a workflow uploaded but did not report: longer than a late success may still correct a run. */
  outputsS: 2 * DAY_S,
} as const;

/** Maximum rows that one statement deletes, so that none locks a table for long. */
export const SWEEP_ROWS = 5_000;
/** Files that one statement checks for a row. */
export const SWEEP_CHECKS = 5_000;
/** Maximum files that one storage request removes. */
export const SWEEP_FILES = 100;
/**
 * Maximum rounds of each kind in one sweep, because the worker claims nothing during a sweep. With one process, an hourly
 * sweep checks up to 100,000 files or removes up to 2,000.
 */
export const SWEEP_ROUNDS = 20;
