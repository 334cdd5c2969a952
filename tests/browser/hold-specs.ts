import type { Sql } from 'postgres';
import { afterAll, beforeAll } from 'vitest';
import { openDatabase } from '@/tests/app/database';

/** Any number that nothing else locks. */
const SPECS = 270_001;

/**
 * Keeps the specs of the one product from changing under a file that looks at all of them: such a file holds them
 * alone, files that make specs share them. Call it before anything else of the file prepares.
 */
export function holdSpecs(how: 'alone' | 'shared'): void {
  let sql: Sql;
  let release = () => {};
  beforeAll(async () => {
    sql = openDatabase();
    const lock = how === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
    // Held by one connection until the file ends, whatever way it does.
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
