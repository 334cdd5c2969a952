import { join } from 'node:path';
import { claimDataFolder, requireWritable } from '@/lib/process/data-folder';
import { outgoingTokens } from '@/supabase/local/backend/auth/access-token';
import { authRoutes } from '@/supabase/local/backend/auth/auth-routes';
import { createTokens } from '@/supabase/local/backend/auth/tokens';
import { openDatabase } from '@/supabase/local/backend/database';
import { freePort } from '@/supabase/local/backend/free-port';
import { createGateway, listen } from '@/supabase/local/backend/gateway';
import { applyMigrations, requireBaseline, seed } from '@/supabase/local/backend/migrate';
import { startCluster } from '@/supabase/local/backend/postgres/cluster';
import { prepareDatabase } from '@/supabase/local/backend/prepare-database';
import { startRealtime } from '@/supabase/local/backend/realtime/start-realtime';
import { openLite } from '@/supabase/local/backend/rest/lite';
import { restRoutes } from '@/supabase/local/backend/rest/rest-routes';
import { loadSecrets, saveSecrets } from '@/supabase/local/backend/secrets';
import { openByteStore } from '@/supabase/local/backend/storage/byte-store';
import { signedTokens } from '@/supabase/local/backend/storage/signed-tokens';
import { storageRoutes } from '@/supabase/local/backend/storage/storage-routes';

export type BackendOptions = {
  /** The folder for all state. It contains `postgres` (sometimes a link), `storage` and `backend-secrets.json`. */
  dataDir: string;
  /** Port of the gateway on 127.0.0.1; 0 for any free port. */
  port: number;
  /** Port of Postgres; 0 for any free port. */
  postgresPort: number;
  publishableKey: string;
  secretKey: string;
  migrationsDir: string;
  /** SQL file that runs once per database. */
  seedFile?: string;
  /** URL of the app, for links in emails; default http://127.0.0.1:3000. */
  siteUrl?: string;
  /** Default true; false turns fsync off, for tests. */
  durable?: boolean;
  log?: (line: string) => void;
  /** Called with the text of each email, which can contain a sign-in code; default `log`. */
  sendMail?: (text: string) => void;
  /** Called when Postgres exits unexpectedly. The backend cannot recover and must be stopped. */
  onLost?: () => void;
};

export type Backend = { url: string; port: number; databaseUrl: string; stop(): Promise<void> };

/**
 * Starts the embedded Supabase backend: Postgres, the REST and auth cores, storage and realtime behind one gateway.
 * Resolves when the gateway accepts requests. On failure, stops everything it started and throws the error, which is a
 * StartError if the cause is known.
 */
export async function startBackend(options: BackendOptions): Promise<Backend> {
  const { dataDir, durable = true, log = () => {} } = options;
  const keys = { publishableKey: options.publishableKey, secretKey: options.secretKey };
  const lost = options.onLost ? { onLost: options.onLost } : {};
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) {
      await step().catch((error: unknown) => log(`stop: ${String(error)}`));
    }
  };
  try {
    await requireWritable(dataDir);
    // Without this claim, another backend with the same data folder would treat this backend's Postgres as an orphan
    // and stop it.
    const claim = await claimDataFolder('backend', dataDir);
    undo.push(() => claim.release());
    const { secrets, lost: lostSecrets } = await loadSecrets(dataDir);
    if (options.port !== 0) await freePort(options.port);
    const cluster = await startCluster({
      dataDir,
      port: options.postgresPort,
      password: secrets.postgresPassword,
      isNewPassword: lostSecrets !== undefined,
      durable,
      log,
      ...lost,
    });
    undo.push(() => cluster.stop());
    if (lostSecrets) {
      // A saved password must be that of the database, so save the secrets only after the password was changed.
      await saveSecrets(dataDir, secrets);
      if (!cluster.isNew) {
        log(
          `backend-secrets.json ${lostSecrets}. There are new secrets: everyone has to sign in again, and signed URLs made so far no longer work. All data and settings are kept.`,
        );
      }
    }
    const database = openDatabase(cluster.url, undefined, log);
    undo.push(() => database.close());
    const siteUrl = options.siteUrl ?? 'http://127.0.0.1:3000';
    const lite = openLite({
      ...keys,
      databaseUrl: cluster.url,
      innerSecret: secrets.innerSecret,
      siteUrl,
      log,
      sendMail: options.sendMail ?? log,
    });
    undo.push(() => lite.close());

    await requireBaseline(database, options.migrationsDir);
    await prepareDatabase(database, lite);
    for (const version of await applyMigrations(database, options.migrationsDir))
      log(`applied migration ${version}`);
    if (options.seedFile) await seed(database, options.seedFile);
    await lite.forgetSchema();

    const tokens = await createTokens(secrets);
    const store = await openByteStore(join(dataDir, 'storage'));
    await store.sweep(async (versions) => {
      const rows = await database.query<{ version: string }>(
        'select version from storage.objects where version = any($1::text[])',
        [versions],
      );
      return new Set(rows.map((row) => row.version));
    });
    const parts = { database, store, signed: signedTokens(secrets.storageSecret) };
    const realtime = await startRealtime(database, keys, tokens, log);
    let address = '';
    const outgoing = outgoingTokens(database, tokens, () => `${address}/auth/v1`);
    const server = createGateway(
      {
        '/rest/v1': restRoutes(lite, keys, tokens),
        '/auth/v1': authRoutes({ keys, tokens, outgoing, database, lite }),
        '/storage/v1': storageRoutes(parts, keys, tokens),
      },
      keys,
      log,
    );
    realtime.attach(server);
    const port = await listen(server, options.port);
    address = `http://127.0.0.1:${port}`;
    undo.push(async () => {
      await realtime.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return { url: address, port, databaseUrl: cluster.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
