import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@/lib/errors/error-parts';
import { StartError, startMessage } from '@/lib/errors/start-error';
import { storeDemoPicture } from '@/supabase/local/backend/demo-picture';
import { isLostConnection, isWriteToLostConnection } from '@/supabase/local/backend/replaceable';
import { type Backend, startBackend } from '@/supabase/local/backend/start';

// Entry point of the embedded backend. It reports to its parent process over IPC. It exits when the IPC channel closes,
// so that it does not keep running after the parent is killed.

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new StartError(`The embedded backend needs the environment variable ${name}.`);
  return value;
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_534) {
    throw new StartError(`SUPABASE_LOCAL_PORT must be a port number, not "${text}".`);
  }
  return port;
}

const log = (line: string) => process.stderr.write(`[backend] ${line}\n`);

async function start(): Promise<Backend> {
  const port = portNumber(process.env.SUPABASE_LOCAL_PORT || '54321');
  const secretKey = required('SUPABASE_SECRET_KEY');
  const dataDir = required('ATELIER_DATA_DIR');
  const mails = join(dataDir, 'mails.txt');
  const backend = await startBackend({
    dataDir,
    port,
    postgresPort: port + 1,
    publishableKey: required('NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY'),
    secretKey,
    migrationsDir: 'supabase/migrations',
    seedFile: 'supabase/seed.sql',
    // Tests turn fsync off, because their data does not have to survive a machine crash.
    durable: process.env.ATELIER_LOCAL_FSYNC !== 'off',
    ...(process.env.APP_URL ? { siteUrl: process.env.APP_URL } : {}),
    onLost: () => fail('Postgres exited unexpectedly. No data is lost.'),
    log,
    // Write emails to a file instead of the log, because they can contain sign-in codes.
    sendMail: (text) => {
      appendFileSync(mails, `${text}\n\n`, { mode: 0o600 });
      log(`an email was written to ${mails}`);
    },
  });
  // If this fails, only log the error, because Atelier works without the picture and the next startup tries again.
  await storeDemoPicture({ url: backend.url, secretKey }).catch((error: unknown) =>
    log(`the demo picture could not be stored: ${messageOf(error)}`),
  );
  return backend;
}

const STOP_MS = 20_000;
let wantsToEnd = false;
const starting = Promise.resolve().then(start);

function end(exitCode = 0): void {
  if (wantsToEnd) return;
  wantsToEnd = true;
  setTimeout(() => process.exit(exitCode), STOP_MS).unref();
  starting
    .then((backend) => backend.stop())
    .catch(() => {})
    .finally(() => process.exit(exitCode));
}

let isReady = false;
let hasFailed = false;

function fail(message: string): void {
  if (wantsToEnd || hasFailed) return;
  hasFailed = true;
  // The parent reports why a start has failed, but does not wait for a later message.
  if (isReady || !process.connected) process.stderr.write(`${message}\n`);
  if (process.connected) process.send?.({ type: 'error', message }, () => end(1));
  else end(1);
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end());
process.on('disconnect', () => end());
// After an uncaught error, stop Postgres cleanly instead of leaving it running.
process.on('uncaughtException', (error) => {
  // postgres.js can throw these errors outside of the request that they belong to. Ignore them, because the pool is
  // already being replaced, and the request gets a 503.
  if (isLostConnection(error) || isWriteToLostConnection(error)) return;
  fail(`The backend failed: ${error.message}.`);
});
// If the parent is killed, writes to stdout and stderr fail. Such an error must not end this process before Postgres
// stops.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

starting.then(
  ({ url, databaseUrl }) => {
    if (wantsToEnd) return;
    isReady = true;
    if (process.send) process.send({ type: 'ready', url, databaseUrl });
    else process.stdout.write(`The embedded backend is ready at ${url}\n`);
  },
  (error: unknown) => fail(startMessage(error, 'The backend')),
);
