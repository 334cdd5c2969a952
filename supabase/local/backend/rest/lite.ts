import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { App, type EmailMessage, getStorageSchemaSql } from '@supabase/lite';
import { createPostgresConnection, type PostgresConnection } from '@supabase/lite/postgres';
import { concurrencyLimit } from '@/lib/process/fair-queue';
import type { ApiKeys } from '@/supabase/local/backend/caller';
import { replaceable } from '@/supabase/local/backend/replaceable';
import { hideHomonyms } from '@/supabase/local/backend/rest/hide-homonyms';
import { updateAllColumns } from '@/supabase/local/backend/rest/inserted-rows';
import { acceptRowArguments } from '@/supabase/local/backend/rest/row-arguments';
import { limitRows, type RowLimits, rowLimits } from '@/supabase/local/backend/rest/row-limits';
import { applySettings } from '@/supabase/local/backend/rest/session-settings';
import { type StatementError, statementError } from '@/supabase/local/backend/rest/statement-error';

export type LiteOptions = ApiKeys & {
  databaseUrl: string;
  innerSecret: string;
  siteUrl: string;
  log: (line: string) => void;
  /** Called with the text of each email, which can contain a sign-in code. */
  sendMail: (text: string) => void;
};

const EXPOSED_SCHEMA = 'public';
/** Milliseconds that a terminated connection may take to close after reporting its error. */
const CLOSING_MS = 200;

export type LiteResponse = { response: Response; error?: StatementError };

export type Lite = {
  /** Creates the missing auth, storage and migration history tables. */
  prepareSchemas(): Promise<void>;
  /** Must be called after any schema change, because the core caches the schema. */
  forgetSchema(): Promise<void>;
  fetch(request: Request): Promise<LiteResponse>;
  close(): Promise<void>;
};

// A request holds one connection for its transaction and can need another one. To prevent deadlocks, the number of
// concurrent requests is less than half the number of connections.
const CONNECTIONS = 30;
const REQUESTS_AT_ONCE = 14;

/**
 * SQLSTATEs after which a request is run again, up to MAX_ATTEMPTS attempts in total. PostgREST has no such limit.
 */
const RETRIED_CODES = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 20;

const isoTime = (value: string) => value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00');
const asIs = (value: string) => value;

/** Encodes a value as JSON. Leaves JSON text unchanged, because lite passes a function's JSON arguments as text. */
function jsonText(value: unknown): string {
  if (typeof value === 'string') {
    try {
      JSON.parse(value);
      return value;
    } catch {
      // Encode text that is not JSON as a JSON string.
    }
  }
  return JSON.stringify(value);
}

/** PostgREST's output formats: numbers as JSON numbers, times as ISO 8601, bytea as hex. */
const OUTPUT_TYPES = {
  numeric: { to: 1700, from: [1700], serialize: String, parse: Number },
  timestamptz: { to: 1184, from: [1184], serialize: asIs, parse: isoTime },
  timestamp: { to: 1114, from: [1114], serialize: asIs, parse: isoTime },
  bytea: { to: 17, from: [17], serialize: asIs, parse: asIs },
  json: { to: 114, from: [114], serialize: jsonText, parse: JSON.parse },
  jsonb: { to: 3802, from: [3802], serialize: jsonText, parse: JSON.parse },
};

function mailText({ to, subject, text, html }: EmailMessage): string {
  return `mail to ${to}: ${subject}\n${text ?? html ?? ''}`;
}

type Serving = {
  isRest: boolean;
  request: Request;
  /** Whether the request has `Prefer: missing=default`. Missing columns of inserted rows then get their defaults. */
  usesDefaults: boolean;
  limits: RowLimits | undefined;
  error?: StatementError;
};

/** The state of the current request, including its database error. */
const current = new AsyncLocalStorage<Serving>();
let isQuiet = false;

/**
 * Silences console.error while lite handles a request, because lite prints every failed statement, even if the failure
 * is the caller's mistake. Server errors are logged separately. The console is global, so only the first call in a
 * process changes it.
 */
function quietConsole(): void {
  if (isQuiet) return;
  isQuiet = true;
  const output = globalThis.console;
  let print = output.error;
  const ignore = () => {};
  Object.defineProperty(output, 'error', {
    configurable: true,
    enumerable: true,
    get: () => (current.getStore() ? ignore : print),
    set: (value: typeof print) => {
      print = value;
    },
  });
}

type Core = { app: App; connection: PostgresConnection };

function openCore(options: LiteOptions, onLost: () => void): Core {
  const { databaseUrl, innerSecret, siteUrl, sendMail } = options;
  const connection = createPostgresConnection({
    url: databaseUrl,
    postgresOptions: {
      max: CONNECTIONS,
      // Never recycle connections, so a closed connection is always a lost one.
      max_lifetime: null,
      onclose: onLost,
      onnotice: () => {},
      types: OUTPUT_TYPES,
      connection: { statement_timeout: 60_000 },
    },
  });

  // lite turns many statement errors into a generic 500, so remember the original error.
  const withContext = connection.withContext.bind(connection);
  connection.withContext = (vars, work, more) =>
    withContext(vars, work, more).catch((error: unknown) => {
      const store = current.getStore();
      if (store) store.error = statementError(error);
      throw error;
    });
  // Keep lite from granting all privileges to the API roles, which would undo the REVOKEs in the migrations.
  Object.assign(connection, { ensureRlsContext: async () => true });
  // Return rows as they were stored. By itself, lite returns null for each key that is missing from a row of a bulk
  // insert, even if the column's default was stored.
  const deserializeRow = connection.deserializeRow.bind(connection);
  connection.deserializeRow = (row) => {
    const read = deserializeRow(row);
    return current.getStore()?.usesDefaults ? { ...read, toJSON: () => read } : read;
  };
  updateAllColumns(connection, () => current.getStore()?.usesDefaults === true);
  acceptRowArguments(connection, EXPOSED_SCHEMA);
  limitRows(connection, () => current.getStore()?.limits);
  applySettings(connection, () => current.getStore()?.request);
  hideHomonyms(connection, EXPOSED_SCHEMA, () => current.getStore()?.isRest === true);

  const app = new App({
    connection,
    api: { schemas: [EXPOSED_SCHEMA] },
    auth: {
      enabled: true,
      site_url: siteUrl,
      jwt_secret: innerSecret,
      jwt_expiry: 3600,
      // Only admins can create accounts, as in supabase/config.toml.
      enable_signup: false,
      publishable_key: options.publishableKey,
      secret_key: options.secretKey,
      email: { enable_confirmations: false },
    },
    storage: { enabled: false },
    studio: { enabled: false },
    options: {
      server: { admin: false, disableStudio: true },
      drivers: { email: { send: async (message) => sendMail(mailText(message)) } },
    },
  });
  return { app, connection };
}

const unavailable = () =>
  Response.json({ message: 'The database is unavailable' }, { status: 503, headers: { 'retry-after': '1' } });

/** Opens @supabase/lite's REST and auth cores on the local Postgres, patched where they differ from hosted Supabase. */
export function openLite(options: LiteOptions): Lite {
  const { log } = options;
  const cores = replaceable(
    (onLost) => openCore(options, onLost),
    ({ connection }) => connection.driver.end({ timeout: 1 }),
    log,
  );
  const limit = concurrencyLimit(REQUESTS_AT_ONCE);

  quietConsole();

  const serveOnce = (core: Core, request: Request, isRest: boolean) => {
    const usesDefaults = /\bmissing=default\b/.test(request.headers.get('prefer') ?? '');
    const limits = isRest ? rowLimits(request) : undefined;
    const store: Serving = { isRest, request, usesDefaults, limits };
    return current.run(store, async () => {
      const response = await core.app.fetch(request, { peerAddress: '127.0.0.1' });
      return { response, error: store.error, core };
    });
  };

  return {
    prepareSchemas: async () => {
      const core = cores.current();
      await core.app.init();
      await core.app.ensureSystemSchema();
      await core.connection.driver.unsafe(getStorageSchemaSql()).simple();
    },
    forgetSchema: () => cores.current().connection.clearSchemaCache(),
    fetch: (request) =>
      limit(async () => {
        const { pathname } = new URL(request.url);
        const isRest = pathname.startsWith('/rest/v1');
        for (let attempt = 1; ; attempt += 1) {
          const { response, error, core } = await cores.use((one) => serveOnce(one, request.clone(), isRest));
          if (isRest && error && RETRIED_CODES.has(error.code) && attempt < MAX_ATTEMPTS) continue;
          // If lite loses the connection while it reads the schema, it responds that the table does not exist.
          const lacksTable = isRest && response.status === 404 && !error;
          if (response.status >= 500 || lacksTable) {
            // A terminated connection reports its error before it closes, so wait before checking for a lost one.
            await sleep(CLOSING_MS);
            if (cores.isLost(core)) return { response: unavailable() };
          }
          if (response.status >= 500) log(`rest: ${response.status}: ${error?.message ?? pathname}`);
          return error ? { response, error } : { response };
        }
      }),
    close: () => cores.close(),
  };
}
