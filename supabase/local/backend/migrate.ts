import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '@/lib/errors/error-parts';
import { StartError } from '@/lib/errors/start-error';
import type { Database } from '@/supabase/local/backend/database';

type Migration = { version: string; name: string; file: string };

const literal = (value: string) => `'${value.replaceAll("'", "''")}'`;

async function listMigrations(folder: string): Promise<Migration[]> {
  const names = await readdir(folder).catch(() => []);
  return names.sort().flatMap((file) => {
    const [, version, name] = /^(\d{14})_(.+)\.sql$/.exec(file) ?? [];
    return version && name ? [{ version, name, file: join(folder, file) }] : [];
  });
}

/**
 * Refuses a database that lacks the first migration but has earlier ones, which that migration replaced. Changes
 * nothing, not even in a new database. Throws StartError.
 */
export async function requireBaseline(database: Database, folder: string): Promise<void> {
  const [baseline] = await listMigrations(folder);
  const [history] = await database.query<{ found: boolean }>(
    "select to_regclass('supabase_migrations.schema_migrations') is not null as found",
  );
  if (!baseline || !history?.found) return;
  const [last] = await database.query<{ version: string; current: boolean }>(
    `select max(version) as version, coalesce(bool_or(version = $1), false) as current
       from supabase_migrations.schema_migrations having count(*) > 0`,
    [baseline.version],
  );
  if (last && !last.current) {
    throw new StartError(
      `The database is older than this version can update: its last migration is ${last.version}, and it needs ${baseline.version}. Nothing was changed. See "Update an older database" in supabase/README.md.`,
    );
  }
}

/**
 * Applies the pending migrations in the order of their versions and records them in the history table of the Supabase
 * CLI. Each runs in one transaction with its history row, so a failed migration leaves no changes. Returns the applied
 * versions. Throws StartError.
 */
export async function applyMigrations(database: Database, folder: string): Promise<string[]> {
  const rows = await database.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations',
  );
  const done = new Set(rows.map((row) => row.version));
  const pending = (await listMigrations(folder)).filter((migration) => !done.has(migration.version));
  for (const { version, name, file } of pending) {
    const text = await readFile(file, 'utf8');
    try {
      await database.scriptInTransaction(
        `${text}\n;reset role; reset search_path;
         insert into supabase_migrations.schema_migrations (version, name, statements)
         values (${literal(version)}, ${literal(name)}, array[${literal(text)}]);`,
      );
    } catch (error) {
      throw new StartError(`The migration ${file} failed: ${messageOf(error)}.`);
    }
  }
  return pending.map((migration) => migration.version);
}

/**
 * Runs the seed file once per database. The seed's data and the record that it ran are committed in one transaction, so
 * the next start repeats an interrupted run. Does nothing if the file is missing or empty. Throws StartError.
 */
export async function seed(database: Database, file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const path = join(basename(dirname(file)), basename(file));
  const [done] = await database.query('select 1 from supabase_migrations.seed_files where path = $1', [path]);
  if (!text || done) return;
  const hash = createHash('sha256').update(text).digest('hex');
  try {
    await database.scriptInTransaction(
      `set local atelier.local_copy = 'on';
       ${text}\n;reset role; reset search_path;
       insert into supabase_migrations.seed_files (path, hash) values (${literal(path)}, ${literal(hash)});`,
    );
  } catch (error) {
    throw new StartError(`The seed ${file} failed: ${messageOf(error)}.`);
  }
}
