import type { Sql } from 'postgres';
import { afterAll, beforeAll } from 'vitest';
import { openDatabase } from '@/tests/app/support/database';

/** The id of the advisory lock; no other lock uses this number. */
const SPECS = 270_001;

/**
 * Keeps test files, which all use the same instance of Atelier, from disturbing each other's specs. Pass 'alone' in a
 * file that deletes all specs and fills the list itself. The file then holds an exclusive lock. Pass 'shared' in a file
 * whose specs must not be deleted. The file then holds a shared lock. Call this function before any other setup in a
 * test file.
 */
export function holdSpecs(how: 'alone' | 'shared'): void {
  let sql: Sql;
  let release = () => {};
  beforeAll(async () => {
    sql = openDatabase();
    const lock = how === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
    // One connection holds the lock until the test file has finished, even if its tests fail.
    await new Promise<void>((taken, failed) => {
      sql
        .begin(async (tx) => {
          await tx.unsafe(`select ${lock}(${SPECS})`);
          taken();
          await new Promise<void>((resolve) => {
            release = resolve;
          });
        })
        .catch(failed);
    });
  });
  afterAll(async () => {
    release();
    await sql?.end();
  });
}
