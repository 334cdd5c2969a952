import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { applyMigrations, seed } from '@/supabase/local/backend/migrate';
import { FIXTURES } from '@/tests/backend/support/start-test-backend';
import { type StrictCluster, startStrictCluster } from '@/tests/backend/support/strict-cluster';

const supabase = join(import.meta.dirname, '..', '..', 'supabase');
type Schema = { name: string; migrations: string; seedFile: string };
const schemaIn = (name: string, folder: string): Schema => ({
  name,
  migrations: join(folder, 'migrations'),
  seedFile: join(folder, 'seed.sql'),
});

let cluster: StrictCluster | undefined;
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

describe('with the ownership of hosted Supabase', () => {
  const title =
    'the migrations of $name apply once with the ownership of hosted Supabase, and a second run has nothing to do';
  async function applyOnce(one: Schema) {
    cluster = await startStrictCluster();
    const files = readdirSync(one.migrations).filter((file) => /^\d{14}_.+\.sql$/.test(file));
    const versions = files.map((file) => file.slice(0, 14)).sort();
    expect(await applyMigrations(cluster.database, one.migrations)).toEqual(versions);
    await seed(cluster.database, one.seedFile);
    expect(await applyMigrations(cluster.database, one.migrations)).toEqual([]);
    const history = await cluster.database.query<{ version: string; statements: string[] }>(
      'select version, statements from supabase_migrations.schema_migrations order by version',
    );
    expect(history.map((row) => row.version)).toEqual(versions);
    expect(history.every((row) => row.statements.length > 0)).toBe(true);
  }
  test.each([schemaIn('the product', supabase)])(title, applyOnce);
  test.each([schemaIn('the fixtures', FIXTURES)])(title, { tags: ['extended'] }, applyOnce);

  test('the role postgres may not do what hosted Supabase forbids', { tags: ['extended'] }, async () => {
    cluster = await startStrictCluster();
    const { database } = cluster;
    for (const statement of [
      'alter table auth.users add column mine text',
      'create role chief superuser',
      "copy (select 1) to program 'true'",
      'create function auth.mine() returns int language sql as $$ select 1 $$',
    ]) {
      await expect(database.script(statement), statement).rejects.toThrow(
        /permission denied|must be|Only roles/,
      );
    }
  });
});
