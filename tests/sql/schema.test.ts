import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { startBackend } from '@/supabase/local/backend/start';
import { createTestDatabase } from '@/tests/setup/database';
import { makeDatabaseDir } from '@/tests/setup/temporary-dir';
import { readCatalogue } from './support/catalogue';

const SCHEMAS = join(import.meta.dirname, '../../supabase/schemas');

/** Returns the catalogue of a database that has only what the files in `supabase/schemas` create. */
async function catalogueOfSchemas(): Promise<Map<string, string>> {
  const dataDir = await makeDatabaseDir();
  const migrationsDir = join(dataDir.path, 'no-migrations');
  await mkdir(migrationsDir);
  const backend = await startBackend({
    dataDir: dataDir.path,
    port: 0,
    postgresPort: 0,
    publishableKey: 'sb_publishable_for_the_schema_test_only',
    secretKey: 'sb_secret_for_the_schema_test_only',
    migrationsDir,
    durable: false,
  });
  const sql = postgres(backend.databaseUrl, { max: 1, onnotice: () => {} });
  try {
    for (const file of (await readdir(SCHEMAS)).sort()) {
      await sql.unsafe(await readFile(join(SCHEMAS, file), 'utf8')).simple();
    }
    return await readCatalogue(sql);
  } finally {
    await sql.end();
    await backend.stop();
    await dataDir.remove();
  }
}

test('the files in supabase/schemas create the same database as all migrations', async () => {
  const migrated = await createTestDatabase();
  try {
    const wanted = await catalogueOfSchemas();
    const found = await readCatalogue(migrated.sql);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
    expect(found.size).toBeGreaterThan(1_000);
  } finally {
    await migrated.drop();
  }
});

test('the functions in SQL use only what exists, which is not checked when they are created', async () => {
  const { sql, drop } = await createTestDatabase();
  try {
    const functions = await sql<{ definition: string }[]>`
      select pg_get_functiondef(p.oid) as definition from pg_proc p join pg_language l on l.oid = p.prolang
       where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and l.lanname = 'sql'`;
    expect(functions.length).toBeGreaterThan(50);
    for (const { definition } of functions) await sql.unsafe(definition);
  } finally {
    await drop();
  }
});
