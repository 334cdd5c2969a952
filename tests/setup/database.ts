import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';
import type {} from '@/tests/setup/provided';

export type TestDatabase = {
  url: string;
  sql: postgres.Sql;
  /** Closes `sql` and drops the database, even if it has other open connections. */
  drop(): Promise<void>;
};

const quiet = { onnotice: () => {} };

async function asServer(work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const address = new URL(inject('sqlServerUrl'));
  // Do not connect to the database `postgres`. It is the template of the test databases, and Postgres cannot copy it
  // while another test file is connected to it.
  address.pathname = '/template1';
  const sql = postgres(address.href, { ...quiet, max: 1 });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}

/** Creates a migrated, unseeded database for a test file of the Vitest project `sql`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asServer(async (server) => {
    await server.unsafe(`create database ${name} template postgres`);
    // A copy has the content of its template, but not the settings made by `alter database ... set`.
    const settings = await server<{ name: string; value: string }[]>`
      select split_part(setting, '=', 1) as name, substr(setting, strpos(setting, '=') + 1) as value
      from pg_db_role_setting, unnest(setconfig) as setting
      where setrole = 0 and setdatabase = (select oid from pg_database where datname = 'postgres')`;
    for (const setting of settings) {
      await server.unsafe(`alter database ${name} set ${setting.name} = ${setting.value}`);
    }
  });
  const address = new URL(inject('sqlServerUrl'));
  address.pathname = `/${name}`;
  const sql = postgres(address.href, { ...quiet, max: 10 });
  return {
    url: address.href,
    sql,
    async drop() {
      await sql.end({ timeout: 5 });
      await asServer((server) => server.unsafe(`drop database ${name} with (force)`));
    },
  };
}
