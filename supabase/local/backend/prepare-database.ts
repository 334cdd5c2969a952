import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@/supabase/local/backend/database';
import type { Lite } from '@/supabase/local/backend/rest/lite';

/** Runs the named files of the `sql` folder in the given order. */
export async function runSqlFiles(database: Database, names: string[]): Promise<void> {
  for (const name of names) {
    await database.script(await readFile(join('supabase/local/backend/sql', name), 'utf8'));
  }
}

/**
 * Creates the schemas and roles that a hosted Supabase project has before its first migration. Keeps those that already
 * exist. Runs at every start.
 */
export async function prepareDatabase(database: Database, lite: Lite): Promise<void> {
  await runSqlFiles(database, ['roles.sql']);
  await lite.prepareSchemas();
  await runSqlFiles(database, ['default-privileges.sql', 'shim.sql', 'realtime.sql']);
}
