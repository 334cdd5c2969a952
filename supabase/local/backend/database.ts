import postgres from 'postgres';
import type { Claims } from '@/supabase/local/backend/caller';
import { listenTo } from '@/supabase/local/backend/listener';
import { replaceable } from '@/supabase/local/backend/replaceable';

export type DatabaseRow = Record<string, unknown>;
/** Runs one statement with $1-style parameters. */
export type Query = <Result extends DatabaseRow = DatabaseRow>(
  text: string,
  parameters?: unknown[],
) => Promise<Result[]>;

export type Database = {
  query: Query;
  /**
   * Runs a script of any number of statements. The script is one transaction unless it contains transaction commands.
   */
  script(text: string): Promise<void>;
  /** Runs `work` in one transaction as the role of the connection URL. */
  transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;
  scriptInTransaction(text: string): Promise<void>;
  /** Runs `work` in one transaction with the caller's role and claims, so that row level security applies. */
  asCaller<Result>(
    claims: Claims,
    operation: string,
    work: (query: Query) => Promise<Result>,
  ): Promise<Result>;
  /** Calls `onPayload` for each NOTIFY on a channel, and `onListening` after connecting and after each reconnect. */
  listen(channel: string, onPayload: (payload: string) => void, onListening: () => void): Promise<void>;
  close(): Promise<void>;
};

type Reserved = { unsafe: postgres.Sql['unsafe'] };

function queryOn(sql: Reserved): Query {
  return async <Result extends DatabaseRow>(text: string, parameters: unknown[] = []) => [
    ...(await sql.unsafe<Result[]>(text, parameters as postgres.ParameterOrJSON<never>[])),
  ];
}

/** Switches the transaction to the caller's role and sets the settings that auth.uid() and similar functions read. */
export async function becomeCaller(query: Query, claims: Claims, operation: string): Promise<void> {
  await query(
    `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
       set_config('request.jwt.claim.sub', $3, true), set_config('request.jwt.claim.role', $1, true),
       set_config('storage.operation', $4, true)`,
    [claims.role, JSON.stringify(claims), claims.sub ?? '', operation],
  );
}

const iso = (value: string) =>
  new Date(`${value.replace(' ', 'T')}${/[+-]\d\d$/.test(value) ? ':00' : ''}`).toISOString();

/** Opens a connection pool for everything except the REST and auth cores, which share another pool. */
export function openDatabase(url: string, max = 12, log: (line: string) => void = () => {}): Database {
  const open = (onLost: () => void) =>
    postgres(url, {
      max,
      // Never recycle connections, so a closed connection is always a lost one.
      max_lifetime: null,
      onclose: onLost,
      onnotice: () => {},
      connection: { TimeZone: 'UTC', statement_timeout: 60_000 },
      types: {
        bigint: { to: 20, from: [20], serialize: String, parse: Number },
        timestamptz: { to: 1184, from: [1184], serialize: (value: string) => value, parse: iso },
      },
    });
  const pool = replaceable(open, (sql) => sql.end({ timeout: 1 }), log);
  const stops: (() => Promise<void>)[] = [];
  return {
    query: (text, parameters) => pool.use((sql) => queryOn(sql)(text, parameters)),
    script: async (text) => {
      await pool.use(async (sql) => sql.unsafe(text).simple());
    },
    transaction: async (work) => {
      const kept: { result?: Awaited<ReturnType<typeof work>> } = {};
      await pool.use((sql) =>
        sql.begin(async (inner) => {
          kept.result = await work(queryOn(inner));
        }),
      );
      return kept.result as Awaited<ReturnType<typeof work>>;
    },
    scriptInTransaction: async (text) => {
      await pool.use((sql) => sql.begin((inner) => inner.unsafe(text).simple()));
    },
    asCaller: async (claims, operation, work) => {
      const kept: { result?: Awaited<ReturnType<typeof work>> } = {};
      await pool.use((sql) =>
        sql.begin(async (inner) => {
          const query = queryOn(inner);
          await becomeCaller(query, claims, operation);
          kept.result = await work(query);
        }),
      );
      return kept.result as Awaited<ReturnType<typeof work>>;
    },
    listen: async (channel, onPayload, onListening) => {
      stops.push(await listenTo(url, channel, onPayload, onListening));
    },
    close: async () => {
      await Promise.all([...stops.map((stop) => stop()), pool.close()]);
    },
  };
}
