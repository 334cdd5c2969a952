const DAY_S = 24 * 60 * 60;

/** How long we keep what nobody asks for for ever, in seconds. The sweep of `reap` follows these and no others. */
export const retention = {
  /** In which the same `Idempotency-Key` gets the same answer. */
  idempotencyKeysS: DAY_S,
  /** After the last call that a bucket counted; a full one empties within minutes. */
  rateBucketsS: 60 * 60,
  /** Finished work and what came back on it: as long as somebody may ask how a run went. */
  workS: 30 * DAY_S,
  /** Exports that have ended, with their PDFs: the document makes them again. */
  exportsS: 90 * DAY_S,
  /** Files without a row: longer than any upload takes to write one. */
  orphansS: 60 * 60,
  /** Files that a workflow has put in place and not reported: longer than a late success may correct a run. */
  outputsS: 2 * DAY_S,
} as const;

/** Rows of a kind that are forgotten in one statement at most, so that none holds a table for long. */
export const SWEEP_ROWS = 5_000;
/** Files of which one statement finds out whether a row names them. */
export const SWEEP_LOOKS = 5_000;
/** Files that storage is asked to remove at a time. */
export const SWEEP_FILES = 100;
/**
 * How often one sweep does either at most: work waits for its end. With one process that is an hour for each 100,000
 * files until all have been looked at, or for each 2,000 that are removed.
 */
export const SWEEP_ROUNDS = 20;
