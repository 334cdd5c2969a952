import { AsyncLocalStorage } from 'node:async_hooks';
import { App, type EmailMessage, getStorageSchemaSql } from '@supabase/lite';
import { createPostgresConnection, type PostgresConnection } from '@supabase/lite/postgres';
import type { ApiKeys } from '@/supabase/local/backend/caller';
import { concurrencyLimit } from '@/supabase/local/backend/concurrency-limit';
import { replaceable } from '@/supabase/local/backend/replaceable';
import { hideHomonyms } from '@/supabase/local/backend/rest/hide-homonyms';
import { setInOneStatement } from '@/supabase/local/backend/rest/session-settings';
import { type StatementError, statementError } from '@/supabase/local/backend/rest/statement-error';

export type LiteOptions = ApiKeys & {
  databaseUrl: string;
  innerSecret: string;
  siteUrl: string;
  log: (line: string) => void;
  /** Takes a mail, which may hold a code to sign in with. */
  sendMail: (text: string) => void;
};

const EXPOSED_SCHEMA = 'public';

export type Answer = { response: Response; error?: StatementError };

export type Lite = {
  /** Makes the auth, storage and migration history tables that are missing. */
  prepareSchemas(): Promise<void>;
  /** Must follow any change of the schema: the core reads it once. */
  forgetSchema(): Promise<void>;
  fetch(request: Request): Promise<Answer>;
  close(): Promise<void>;
};

// A request holds one connection in its transaction and may need another one; so fewer requests at once than
// half the pool can never wait for each other.
const CONNECTIONS = 30;
const REQUESTS_AT_ONCE = 14;

/** PostgREST repeats a transaction that failed with one of these for as long as it fails; here it ends some time. */
const RETRIED_CODES = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 20;

const isoTime = (value: string) => value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00');
const asIs = (value: string) => value;

/** lite hands a function's JSON arguments over as text already: encoding that once more would store a string. */
function jsonText(value: unknown): string {
  if (typeof value === 'string') {
    try {
      JSON.parse(value);
      return value;
    } catch {
      // A plain string: it becomes a JSON string.
    }
  }
  return JSON.stringify(value);
}

/** PostgREST's output formats: numbers as JSON numbers, times as ISO 8601, bytea as its hex text. */
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
  /** `Prefer: missing=default`: rows of an insert have the defaults of the columns that they lack. */
  usesDefaults: boolean;
  error?: StatementError;
};

/** The request that is being served here, and what Postgres said to it. */
const current = new AsyncLocalStorage<Serving>();
let isQuiet = false;

/**
 * lite prints every failed statement with console.error, also those that are the caller's mistake. Within its
 * requests that goes nowhere; what is our fault is logged by us. Once per process, as the console is.
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
      // So that a connection that closes is always one that was lost.
      max_lifetime: null,
      onclose: onLost,
      onnotice: () => {},
      types: OUTPUT_TYPES,
      connection: { statement_timeout: 60_000 },
    },
  });

  // lite turns many statement errors into one unknown 500; remember what Postgres really said.
  const withContext = connection.withContext.bind(connection);
  connection.withContext = (vars, work, more) =>
    withContext(vars, work, more).catch((error: unknown) => {
      const store = current.getStore();
      if (store) store.error = statementError(error);
      throw error;
    });
  // lite would GRANT ALL to the API roles on its first request, undoing every REVOKE of a migration.
  Object.assign(connection, { ensureRlsContext: async () => true });
  // lite answers null for every key that a row of a bulk insert lacked, also where a default was stored.
  const deserializeRow = connection.deserializeRow.bind(connection);
  connection.deserializeRow = (row) => {
    const read = deserializeRow(row);
    return current.getStore()?.usesDefaults ? { ...read, toJSON: () => read } : read;
  };
  setInOneStatement(connection);
  hideHomonyms(connection, EXPOSED_SCHEMA, () => current.getStore()?.isRest === true);

  const app = new App({
    connection,
    api: { schemas: [EXPOSED_SCHEMA] },
    auth: {
      enabled: true,
      site_url: siteUrl,
      jwt_secret: innerSecret,
      jwt_expiry: 3600,
      // As supabase/config.toml has it: accounts are made by an admin.
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

const away = () =>
  Response.json({ message: 'The database is unavailable' }, { status: 503, headers: { 'retry-after': '1' } });

/** @supabase/lite's REST and auth cores on our Postgres, with the parts patched that differ from hosted. */
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
    const store: Serving = { isRest, usesDefaults };
    return current.run(store, async () => {
      const response = await core.app.fetch(request, { peerAddress: '127.0.0.1' });
      return { response, error: store.error, isLost: cores.isLost(core) };
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
          const { response, error, isLost } = await cores.use((core) =>
            serveOnce(core, request.clone(), isRest),
          );
          if (response.status >= 500 && isLost) return { response: away() };
          if (isRest && error && RETRIED_CODES.has(error.code) && attempt < MAX_ATTEMPTS) continue;
          if (response.status >= 500) log(`rest: ${response.status}: ${error?.message ?? pathname}`);
          return error ? { response, error } : { response };
        }
      }),
    close: () => cores.close(),
  };
}
