import { randomBytes } from 'node:crypto';
import { type Database, openDatabase } from '@/supabase/local/backend/database';
import { startCluster } from '@/supabase/local/backend/postgres/cluster';
import { runSqlFiles } from '@/supabase/local/backend/prepare-database';
import { type Lite, openLite } from '@/supabase/local/backend/rest/lite';
import { makeDatabaseDir } from '@/tests/setup/temporary-dir';

export type StrictCluster = {
  /** The connection of the role `postgres`. As on hosted Supabase, this role is not a superuser. */
  database: Database;
  databaseUrl: string;
  stop(): Promise<void>;
};

async function prepareAsHosted(database: Database, lite: Lite, password: string): Promise<void> {
  await runSqlFiles(database, ['roles.sql', 'strict-roles.sql']);
  await database.script(`alter role postgres password '${password}'`);
  await lite.prepareSchemas();
  await runSqlFiles(database, ['default-privileges.sql', 'shim.sql', 'realtime.sql', 'strict-owners.sql']);
}

/**
 * Starts a cluster whose roles are like those of hosted Supabase. The superuser is `supabase_admin`. The role
 * `postgres` runs the migrations and does not own the schemas `auth`, `storage` and `realtime`. In the embedded
 * backend, `postgres` is a superuser, so the embedded backend accepts migrations that hosted Supabase would refuse.
 */
export async function startStrictCluster(): Promise<StrictCluster> {
  const dataDir = await makeDatabaseDir();
  const password = randomBytes(12).toString('hex');
  const cluster = await startCluster({
    dataDir: dataDir.path,
    port: 0,
    password,
    superuser: 'supabase_admin',
    durable: false,
    log: () => {},
  });
  const owner = openDatabase(cluster.url, 2);
  const lite = openLite({
    databaseUrl: cluster.url,
    innerSecret: password,
    publishableKey: 'sb_publishable_unused',
    secretKey: 'sb_secret_unused',
    siteUrl: 'http://127.0.0.1:3000',
    log: () => {},
    sendMail: () => {},
  });
  try {
    await prepareAsHosted(owner, lite, password);
  } finally {
    await lite.close();
    await owner.close();
  }
  const databaseUrl = cluster.url.replace('supabase_admin:', 'postgres:');
  const database = openDatabase(databaseUrl, 2);
  return {
    database,
    databaseUrl,
    stop: async () => {
      await database.close();
      await cluster.stop();
      await dataDir.remove();
    },
  };
}
