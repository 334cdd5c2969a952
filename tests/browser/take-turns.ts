import type { Sql } from 'postgres';
import { afterAll, beforeAll } from 'vitest';
import { openDatabase } from '@/tests/app/database';

/** Any number that nothing else locks. */
const TURN = 270_001;

/**
 * For a file that sees the specs of all, or tells the workflow service how to behave: it has the product for itself
 * among such files, and waits for its turn. Call it before anything else of the file prepares.
 */
export function takeTurns(): void {
  let sql: Sql;
  let release = () => {};
  beforeAll(async () => {
    sql = openDatabase();
    // Held by one connection until the file ends, whatever way it does.
    await new Promise<void>((taken, failed) => {
      sql
        .begin(async (tx) => {
          await tx`select pg_advisory_xact_lock(${TURN})`;
          taken();
          await new Promise<void>((resolve) => {
            release = resolve;
          });
        })
        .catch(failed);
    });
  }, 600_000);
  afterAll(async () => {
    release();
    await sql?.end();
  });
}
