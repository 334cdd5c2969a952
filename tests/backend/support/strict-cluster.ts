import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '@/supabase/local/backend/database';
import { startCluster } from '@/supabase/local/backend/postgres/cluster';
import { runSqlFiles } from '@/supabase/local/backend/prepare-database';
import { type Lite, openLite } from '@/supabase/local/backend/rest/lite';

export type StrictCluster = {
  /** Connected as `postgres`, which is not a superuser here, as on hosted Supabase. */
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
 * Starts a cluster whose roles are like those of hosted Supabase: the superuser is `supabase_admin`, and `postgres`,
 * which runs the migrations, does not own the schemas auth, storage and realtime. The embedded backend accepts
 * migrations that hosted Supabase would refuse, because its `postgres` is a superuser.
 */
export async function startStrictCluster(): Promise<StrictCluster> {
  const dataDir = await mkdtemp(join(tmpdir(), 'strict-cluster-'));
  const password = randomBytes(12).toString('hex');
  const cluster = await startCluster({
    dataDir,
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
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
