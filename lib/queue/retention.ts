const DAY_S = 24 * 60 * 60;

/** How long temporary data is kept, in seconds. Only the sweep of `reap` uses these. */
export const retention = {
  /** Idempotency window. */
  idempotencyKeysS: DAY_S,
  /** After the last call that a rate limit bucket counted; a full one empties within minutes. */
  rateBucketsS: 60 * 60,
  /** Finished work items, triggers, callbacks (rejected ones too) and events, so that a run can be looked up afterwards. */
  workS: 30 * DAY_S,
  /** Finished exports with their PDFs: the document can be exported again. */
  exportsS: 90 * DAY_S,
  /** Files without a row: longer than any upload takes to write its row. */
  orphansS: 60 * 60,
  /** Files that a workflow uploaded but did not report: longer than a late success may still correct a run. */
  outputsS: 2 * DAY_S,
} as const;

/** Rows that one statement deletes at most, so that none locks a table for long. */
export const SWEEP_ROWS = 5_000;
/** Files that one statement checks for a row. */
export const SWEEP_LOOKS = 5_000;
/** Files that one request to storage removes. */
export const SWEEP_FILES = 100;
/**
 * Maximum rounds of each kind in one sweep, because work waits for its end. With one process, that is one hour per
 * 100,000 files checked or 2,000 files removed.
 */
export const SWEEP_ROUNDS = 20;
