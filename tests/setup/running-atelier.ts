import { createWriteStream } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { type Atelier, startAtelier } from '@/lib/launcher/atelier';
import { localSettings, type Settings } from '@/lib/launcher/settings';
import { freePorts } from '@/tests/setup/free-ports';
import { hostedSupabase, prepareHosted } from '@/tests/setup/hosted-supabase';
import { logFile, mailPassword, startFile } from '@/tests/setup/provided';
import { speedUpWorkflow } from '@/tests/setup/speed-up-workflow';
import { makePrintingDataDir } from '@/tests/setup/temporary-dir';

const env = {
  ATELIER_LOCAL_FSYNC: 'off',
  LOG_LEVEL: 'info',
  // Both the current and the previous secrets are valid, as during a rotation.
  WEBHOOK_SECRET_PREVIOUS: 'the-spec-secret-of-before-the-rotation',
  IMAGE_WEBHOOK_SECRET_PREVIOUS: 'the-image-secret-of-before-the-rotation',
  // Allow events to be sent to servers that tests start on this machine.
  EVENT_HOSTS: '127.0.0.1',
  // Many tests share a user, so set limits that they do not reach.
  RATE_LIMIT_COSTLY: '100000',
  RATE_LIMIT_SEARCH: '100000',
  RATE_LIMIT_OTHER: '100000',
  UPLOADS_AT_ONCE: '1000',
  // The app computes a color for each material in the background, which takes seconds for the whole library.
  FAKE_MATLIB_SHARE: '0.25',
};

type Ports = { port: number; localPort: number; mailPort: number };
/**
 * `settings` are the settings that the tests get. `given` are the settings that the product is started with. `stop`
 * stops the services that were started for the product.
 */
type Choice = { settings: Settings; given: Settings; databaseUrl?: string; stop?: () => Promise<void> };

/** Returns the settings for a mail server, which only the email tests start. */
const mailEnv = ({ mailPort }: Ports): Settings => ({
  SMTP_URL: `smtp://atelier:${mailPassword}@127.0.0.1:${mailPort}`,
  SMTP_FROM: 'Atelier <studio@atelier.test>',
});

/** Chooses the settings of a local product in advance, because they are provided to the tests before it has started. */
function chooseLocal(dataDir: string, ports: Ports): Choice {
  const chosen = { ...env, ...mailEnv(ports) };
  const settings = localSettings({ chosen, saved: {}, dataDir, ...ports });
  const secrets = Object.entries(settings).filter(([name]) => /_(KEY|SECRET)$/.test(name));
  return { settings, given: { ...chosen, ...Object.fromEntries(secrets) } };
}

/**
 * Prepares the Supabase project that the environment names, and chooses the settings of an app that uses it. Returns
 * null if the environment names none.
 */
async function chooseHosted(dataDir: string, ports: Ports): Promise<Choice | null> {
  const hosted = hostedSupabase();
  if (!hosted) return null;
  const { port } = ports;
  const prepared = await prepareHosted(hosted, port);
  const chosen = { ...env, ...mailEnv(ports), ...prepared.env };
  const settings = { ...chosen, ATELIER_DATA_DIR: dataDir, PORT: String(port) };
  return { settings, given: settings, databaseUrl: hosted.databaseUrl, stop: prepared.stop };
}

/** Writes the start file atomically, because `wait-for-atelier` reads it as soon as it exists. */
async function writeStartFile(
  dataDir: string,
  started: { databaseUrl?: string } | { error: string },
): Promise<void> {
  const file = startFile(dataDir);
  await writeFile(`${file}.new`, JSON.stringify(started));
  await rename(`${file}.new`, file);
}

/**
 * Starts one product for all files of the Vitest project, and builds it first if the current sources have no build.
 * Returns before the product has started, so test files that need no product run during the build. The setup file
 * `wait-for-atelier` waits for the product.
 */
export default async function startForAll(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await makePrintingDataDir();
  const ports = await freePorts();
  const choice = (await chooseHosted(dataDir.path, ports)) ?? chooseLocal(dataDir.path, ports);
  const { settings, given, databaseUrl } = choice;
  const log = createWriteStream(logFile(dataDir.path));
  const abort = new AbortController();

  async function start(): Promise<Atelier | undefined> {
    try {
      const atelier = await startAtelier({
        ...ports,
        dataDir: dataDir.path,
        distDir: process.env.ATELIER_DIST_DIR || '.next',
        log: (line) => log.write(`${line}\n`),
        onDeath: (what, how) => process.stderr.write(`${what} ended during the tests: ${how}\n`),
        env: given,
        signal: abort.signal,
      });
      await speedUpWorkflow(settings);
      await writeStartFile(dataDir.path, { databaseUrl: databaseUrl ?? atelier.databaseUrl });
      return atelier;
    } catch (error) {
      await writeStartFile(dataDir.path, { error: String(error) });
    }
  }
  const started = start();
  const url = `http://127.0.0.1:${ports.port}`;
  project.provide('atelier', { url, env: settings, dataDir: dataDir.path });
  return async () => {
    abort.abort(new Error('The tests are over.'));
    const atelier = await started;
    await atelier?.stop();
    await choice.stop?.();
    log.end();
    await dataDir.remove();
  };
}
