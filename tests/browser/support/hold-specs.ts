import type { Sql } from 'postgres';
import { afterAll, beforeAll } from 'vitest';
import { openDatabase } from '@/tests/app/support/database';

/** Any number that no other lock uses. */
const SPECS = 270_001;

/**
 * Keeps the specs of the shared product unchanged while a test file reads all of them: such a file locks them
 * exclusively, and files that create specs share the lock. Call it before any other setup of the file.
 */
export function holdSpecs(how: 'alone' | 'shared'): void {
  let sql: Sql;
  let release = () => {};
  beforeAll(async () => {
    sql = openDatabase();
    const lock = how === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
    // One connection holds the lock until the file ends, however it ends.
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
