import { join } from 'node:path';
import { outgoingTokens } from '@/supabase/local/backend/auth/access-token';
import { authRoutes } from '@/supabase/local/backend/auth/auth-routes';
import { createTokens } from '@/supabase/local/backend/auth/tokens';
import { claimDataDir } from '@/supabase/local/backend/data-dir';
import { openDatabase } from '@/supabase/local/backend/database';
import { freePort } from '@/supabase/local/backend/free-port';
import { createGateway, listen } from '@/supabase/local/backend/gateway';
import { applyMigrations, seed } from '@/supabase/local/backend/migrate';
import { startCluster } from '@/supabase/local/backend/postgres/cluster';
import { prepareDatabase } from '@/supabase/local/backend/prepare-database';
import { startRealtime } from '@/supabase/local/backend/realtime/start-realtime';
import { openLite } from '@/supabase/local/backend/rest/lite';
import { restRoutes } from '@/supabase/local/backend/rest/rest-routes';
import { loadSecrets } from '@/supabase/local/backend/secrets';
import { openByteStore } from '@/supabase/local/backend/storage/byte-store';
import { signedTokens } from '@/supabase/local/backend/storage/signed-tokens';
import { storageRoutes } from '@/supabase/local/backend/storage/storage-routes';

export type BackendOptions = {
  /** All state lies below it: `postgres`, `storage` and `backend-secrets.json`. */
  dataDir: string;
  /** Of the gateway, on 127.0.0.1; 0 = any free port. */
  port: number;
  /** 0 = any free port. */
  postgresPort: number;
  publishableKey: string;
  secretKey: string;
  migrationsDir: string;
  /** Run once in the life of a database. */
  seedFile?: string;
  /** The product's address, for links in mails; default http://127.0.0.1:3000. */
  siteUrl?: string;
  /** Default true; false switches fsync off, for tests. */
  durable?: boolean;
  log?: (line: string) => void;
  /** Takes a mail, which may hold a code to sign in with; default `log`. */
  sendMail?: (text: string) => void;
  /** Called when Postgres has ended by itself: this backend is of no use, stop it. */
  onLost?: () => void;
};

export type Backend = { url: string; port: number; databaseUrl: string; stop(): Promise<void> };

/**
 * Starts the embedded Supabase backend: Postgres, the REST and auth cores, storage and realtime behind one gateway.
 * Resolves when it serves. A failure throws StartFailure with one sentence, and leaves nothing running.
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
    undo.push(await claimDataDir(dataDir));
    const secrets = await loadSecrets(dataDir);
    if (options.port !== 0) await freePort(options.port);
    const cluster = await startCluster({
      dataDir,
      port: options.postgresPort,
      password: secrets.postgresPassword,
      durable,
      log,
      ...lost,
    });
    undo.push(() => cluster.stop());
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
        '/realtime/v1/api/': realtime.route,
      },
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
