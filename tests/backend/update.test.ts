import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import postgres from 'postgres';
import { afterEach, expect, test } from 'vitest';
import { type Backend, startBackend } from '@/supabase/local/backend/start';
import { ok, PUBLISHABLE_KEY, SECRET_KEY } from '@/tests/backend/support/start-test-backend';
import { makeDatabaseDir } from '@/tests/setup/temporary-dir';
import { readCatalogue } from '@/tests/sql/support/catalogue';

const supabase = join(import.meta.dirname, '../../supabase');
const migrationsDir = join(supabase, 'migrations');
const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanup.splice(0).reverse()) await step();
});

const start = (dataDir: string, folder: string): Promise<Backend> =>
  startBackend({
    dataDir,
    port: 0,
    postgresPort: 0,
    publishableKey: PUBLISHABLE_KEY,
    secretKey: SECRET_KEY,
    migrationsDir: folder,
    seedFile: join(supabase, 'seed.sql'),
    durable: false,
  });

async function inDatabase<Result>(
  url: string,
  work: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'atelier-migrations-'));
  cleanup.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** Makes a data folder whose database has the history of the migrations that the baseline replaced. */
async function oldDataFolder(versions: string[]): Promise<string> {
  const dataDir = await makeDatabaseDir();
  cleanup.push(() => dataDir.remove());
  const before = await folder();
  const [baseline = ''] = (await readdir(migrationsDir)).sort();
  await cp(join(migrationsDir, baseline), join(before, baseline));
  const backend = await start(dataDir.path, before);
  const client = createClient(backend.url, SECRET_KEY);
  ok(await client.from('brands').insert({ name: 'Kept' }));
  ok(
    await client.storage
      .from('specs')
      .upload('specs/kept/1/kept.pdf', 'kept', { contentType: 'application/pdf' }),
  );
  await inDatabase(backend.databaseUrl, async (sql) => {
    await sql`truncate supabase_migrations.schema_migrations`;
    await sql`insert into supabase_migrations.schema_migrations (version, name) select unnest(${versions}::text[]), 'old'`;
    // The old code granted these at each start.
    await sql`alter default privileges in schema public grant all on functions to anon, authenticated, service_role`;
    await sql`alter default privileges in schema public grant all on tables to anon, authenticated, service_role`;
  });
  await backend.stop();
  return dataDir.path;
}

const baselineVersion = async () => (await readdir(migrationsDir)).sort()[0]?.slice(0, 14) ?? '';

test('a database with the last migration that the baseline replaced is updated and keeps its rows and files', async () => {
  const dataDir = await oldDataFolder(['20261121000100', await baselineVersion()]);
  const backend = await start(dataDir, migrationsDir);
  cleanup.push(() => backend.stop());
  const client = createClient(backend.url, SECRET_KEY);
  expect(ok(await client.from('brands').select('name').eq('name', 'Kept'))).toEqual([{ name: 'Kept' }]);
  const file = ok(await client.storage.from('specs').download('specs/kept/1/kept.pdf'));
  expect(await file.text()).toBe('kept');

  const other = await makeDatabaseDir();
  cleanup.push(() => other.remove());
  const fresh = await start(other.path, migrationsDir);
  cleanup.push(() => fresh.stop());
  expect(Object.fromEntries(await inDatabase(backend.databaseUrl, readCatalogue))).toEqual(
    Object.fromEntries(await inDatabase(fresh.databaseUrl, readCatalogue)),
  );
});

test('an older database is refused with a message and is not changed', async () => {
  const dataDir = await oldDataFolder(['20261121000100', '20261127000100']);
  await expect(start(dataDir, migrationsDir)).rejects.toThrow(
    `its last migration is 20261127000100, and it needs ${await baselineVersion()}. Nothing was changed.`,
  );
  const backend = await start(dataDir, await folder());
  cleanup.push(() => backend.stop());
  const client = createClient(backend.url, SECRET_KEY);
  expect(ok(await client.from('brands').select('name').eq('name', 'Kept'))).toEqual([{ name: 'Kept' }]);
  const history = await inDatabase(
    backend.databaseUrl,
    (sql) => sql`select version from supabase_migrations.schema_migrations order by version`,
  );
  expect(history.map((row) => row.version)).toEqual(['20261121000100', '20261127000100']);
});
