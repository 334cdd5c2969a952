import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startCluster } from '@/supabase/local/backend/postgres/cluster';
import { loadSecrets } from '@/supabase/local/backend/secrets';
import { startBackend } from '@/supabase/local/backend/start';
import { freePorts } from '@/tests/setup/free-ports';
import type {} from '@/tests/setup/provided';
import { makeDatabaseDir } from '@/tests/setup/temporary-dir';

/**
 * Starts a Postgres server with a migrated, unseeded database. A backend migrates the database. The backend is then
 * stopped, because the tests copy the database, and Postgres can copy it only while nothing is connected to it.
 */
export default async function startForAll(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await makeDatabaseDir();
  const backend = await startBackend({
    dataDir: dataDir.path,
    port: 0,
    postgresPort: 0,
    publishableKey: 'sb_publishable_for_the_sql_tests_only',
    secretKey: 'sb_secret_for_the_sql_tests_only',
    migrationsDir: join(import.meta.dirname, '../../supabase/migrations'),
    durable: false,
  });
  await backend.stop();
  const { secrets } = await loadSecrets(dataDir.path);
  const cluster = await startCluster({
    dataDir: dataDir.path,
    port: (await freePorts()).port,
    password: secrets.postgresPassword,
    durable: false,
    log: () => {},
  });
  project.provide('sqlServerUrl', cluster.url);
  return async () => {
    await cluster.stop();
    await dataDir.remove();
  };
}
