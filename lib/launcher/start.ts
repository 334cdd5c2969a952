/** `npm start` and `npm run dev`: reads the settings, starts everything and runs until it is stopped. */

import { startMessage } from '../errors/start-error.ts';
import { startAtelier } from './atelier.ts';
import { onNpmDeath } from './npm-watch.ts';
import { parsePort } from './ports.ts';
import { root } from './programs.ts';
import { respondUnavailable } from './respond-unavailable.ts';
import { readCheckoutSettings } from './settings-file.ts';
import { supervise } from './supervise.ts';

const printLine = (line: string) => process.stdout.write(`${line}\n`);
const logLine = (line: string) => process.stderr.write(`${line}\n`);

const demoAccounts = [
  ['admin@atelier.test', 'admin'],
  ['member@atelier.test', 'editor of the demo project'],
  ['stranger@atelier.test', 'no project'],
];

async function main(): Promise<number> {
  const started = performance.now();
  const dev = process.argv.includes('--dev');
  const env = readCheckoutSettings(root, dev);
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;

  const abort = new AbortController();
  let leave = (_code: number) => {};
  const left = new Promise<number>((resolve) => {
    leave = resolve;
  });
  let stopRequestedAt = 0;
  const stopRequested = () => {
    // A single Ctrl-C arrives twice, from the terminal and from npm. Therefore only a request more than a second after
    // the first one forces the exit. The children then exit because their IPC channels close.
    if (stopRequestedAt > 0 && Date.now() - stopRequestedAt > 1_000) process.exit(130);
    stopRequestedAt ||= Date.now();
    abort.abort();
    leave(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stopRequested);
  process.on('disconnect', stopRequested);
  onNpmDeath(stopRequested);

  let onDeath = (_name: string, _how: string) => {};
  const atelier = await startAtelier({
    dataDir: env.ATELIER_DATA_DIR || '.atelier',
    port: parsePort('PORT', env.PORT, 3000),
    localPort: parsePort('SUPABASE_LOCAL_PORT', env.SUPABASE_LOCAL_PORT, 54321, 4),
    dev,
    env,
    log: printLine,
    distDir: env.ATELIER_DIST_DIR || '.next',
    signal: abort.signal,
    onDeath: (name, how) => onDeath(name, how),
  }).catch((error: unknown) => {
    if (abort.signal.aborted) return undefined;
    throw error;
  });
  if (!atelier) return 0;
  onDeath = supervise({
    restart: (name) => atelier.restart(name),
    placeholder: async (name) =>
      name === 'the app'
        ? (await respondUnavailable(Number(new URL(atelier.url).port), atelier.host, 'restarting')).stop
        : async () => {},
    log: logLine,
    giveUp: () => leave(1),
    signal: abort.signal,
  });

  printLine(`\nAtelier is ready at ${atelier.url} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  if (atelier.local) {
    printLine('\nSign in with the password atelier-demo as:');
    for (const [email = '', role] of demoAccounts) printLine(`  ${email.padEnd(24)}${role}`);
    printLine(
      `\nSettings and secrets: ${atelier.env.ATELIER_DATA_DIR}/env. A workflow service needs three of them:`,
    );
    printLine(
      'WORKFLOW_TOKEN, WORKFLOW_SIGNING_SECRET, and WEBHOOK_SECRET (specs) or IMAGE_WEBHOOK_SECRET (images).',
    );
    printLine('\nCtrl-C stops everything.');
  }
  const code = await left;
  await atelier.stop();
  return code;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    logLine(startMessage(error));
    process.exit(1);
  },
);
