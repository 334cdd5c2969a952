import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import postgres from 'postgres';
import { type Backend, startBackend } from '@/supabase/local/backend/start';
import { makeDatabaseDir } from '@/tests/setup/temporary-dir';

export const PUBLISHABLE_KEY = 'sb_publishable_0pGqfugMHHXKta3dqpGEWw_Twa-r54s';
export const SECRET_KEY = 'sb_secret_for_the_backend_tests_only';
export const PASSWORD = 'password123';
export const FIXTURES = join(import.meta.dirname, '../fixtures');

export type TestBackend = Backend & {
  dataDir: string;
  lines: string[];
  sql: postgres.Sql;
  /** Creates a client with this key and its own session. */
  client(key?: string): ReturnType<typeof newClient>;
  /** Creates a client that is signed in as a seeded user. */
  signedIn(email: string): Promise<ReturnType<typeof newClient>>;
  end(): Promise<void>;
};

function newClient(url: string, key: string) {
  return createClient(url, key, { auth: { persistSession: false, autoRefreshToken: false } });
}

/** Starts a backend on free ports in a new folder, with the fixture schema and its users. */
export async function startTestBackend(options: { durable?: boolean } = {}): Promise<TestBackend> {
  const dataDir = await makeDatabaseDir();
  const lines: string[] = [];
  const backend = await startBackend({
    dataDir: dataDir.path,
    port: 0,
    postgresPort: 0,
    publishableKey: PUBLISHABLE_KEY,
    secretKey: SECRET_KEY,
    migrationsDir: join(FIXTURES, 'migrations'),
    seedFile: join(FIXTURES, 'seed.sql'),
    siteUrl: 'http://127.0.0.1:3000',
    durable: options.durable ?? false,
    log: (line) => lines.push(line),
  });
  const sql = postgres(backend.databaseUrl, { max: 4, onnotice: () => {} });
  return {
    ...backend,
    dataDir: dataDir.path,
    lines,
    sql,
    client: (key = PUBLISHABLE_KEY) => newClient(backend.url, key),
    signedIn: async (email) => {
      const client = newClient(backend.url, PUBLISHABLE_KEY);
      const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
      if (error) throw error;
      return client;
    },
    end: async () => {
      await sql.end();
      await backend.stop();
      await dataDir.remove();
    },
  };
}

/** Returns the data of a response; throws if the response has an error. */
export function ok<Result extends { data: unknown; error: unknown }>(
  response: Result,
): NonNullable<Extract<Result, { error: null }>['data']> {
  if (response.error) throw new Error(`expected data, got ${JSON.stringify(response.error)}`);
  return response.data as NonNullable<Extract<Result, { error: null }>['data']>;
}

/** Returns the error of a response; throws if the response has none. */
export function refused<Result extends { data: unknown; error: unknown }>(
  response: Result,
): NonNullable<Result['error']> {
  if (!response.error) throw new Error(`expected an error, got ${JSON.stringify(response.data)}`);
  return response.error;
}

/** Returns the user id and the access token of a signed-in client. */
export async function sessionOf(
  client: ReturnType<typeof newClient>,
): Promise<{ id: string; token: string }> {
  const { data } = await client.auth.getSession();
  if (!data.session) throw new Error('not signed in');
  return { id: data.session.user.id, token: data.session.access_token };
}
