import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readGenerated, readSavedSettings } from '@/lib/launcher/settings-file';
import { claimDataFolder } from '@/lib/process/data-folder';
import { freePorts } from '@/tests/setup/free-ports';
import { makeDataDir } from '@/tests/setup/temporary-dir';
import { launch, processesOf } from '@/tests/start/support/launch';

let folder: Awaited<ReturnType<typeof makeDataDir>>;
let ports: { port: number; localPort: number };
let held: Server | undefined;

beforeEach(async () => {
  folder = await makeDataDir();
  ports = await freePorts();
});

afterEach(async () => {
  await new Promise((done) => (held ? held.close(done) : done(undefined)));
  held = undefined;
  expect(processesOf(folder.path)).toEqual([]);
  await folder.remove();
});

function settings(more: Record<string, string> = {}): Record<string, string> {
  const { port, localPort } = ports;
  return { ATELIER_DATA_DIR: folder.path, PORT: `${port}`, SUPABASE_LOCAL_PORT: `${localPort}`, ...more };
}

async function refusal(env: Record<string, string>): Promise<string> {
  const started = launch(env);
  expect(await started.ended).toBe(1);
  expect(started.stdout()).toBe('');
  expect(started.stderr()).not.toMatch(/^\s+at /m);
  return started.stderr().trimEnd();
}

async function hold(port: number): Promise<void> {
  held = createServer();
  await new Promise<void>((done) => held?.listen(port, '127.0.0.1', done));
}

test.each([
  ['the app', 'PORT', () => ports.port],
  ['the embedded backend', 'SUPABASE_LOCAL_PORT', () => ports.localPort],
  ['the embedded Postgres', 'SUPABASE_LOCAL_PORT', () => ports.localPort + 1],
  ['the fake workflow service', 'SUPABASE_LOCAL_PORT', () => ports.localPort + 2],
  ['the fake material library', 'SUPABASE_LOCAL_PORT', () => ports.localPort + 3],
])('a taken port of %s is named, with the setting that changes it', async (what, setting, port) => {
  await hold(port());
  const sentence = await refusal(settings());
  expect(sentence.split('\n')).toHaveLength(1);
  expect(sentence).toContain(`Port ${port()} for ${what} is already in use`);
  expect(sentence).toContain(`set ${setting} `);
});

test('a data folder that cannot be created is named', async () => {
  const file = join(folder.path, 'file');
  await writeFile(file, '');
  const sentence = await refusal(settings({ ATELIER_DATA_DIR: join(file, 'data') }));
  expect(sentence).toBe(
    `The data folder ${file}/data is not writable (ENOTDIR). Set ATELIER_DATA_DIR to a writable folder.`,
  );
});

test('a data folder below /proc is refused with a message', async () => {
  const sentence = await refusal(settings({ ATELIER_DATA_DIR: '/proc/atelier' }));
  expect(sentence).toMatch(/^The data folder \/proc\/atelier is not writable \(\w+\)/);
});

test('an invalid setting is named and not saved, so that the next start works without it', async () => {
  const started = launch(settings({ WEBHOOK_SECRET: 'short', ATELIER_LOCAL_FSYNC: 'off' }));
  expect(await started.ended).toBe(1);
  expect(started.stderr()).toContain('WEBHOOK_SECRET must have at least 32 characters');
  expect(readSavedSettings(folder.path)).toEqual({});
  expect(readGenerated(folder.path)).toBeUndefined();
});

test('a data folder that another copy uses is refused', async () => {
  const claim = await claimDataFolder('instance of Atelier', folder.path);
  expect(await refusal(settings())).toContain(
    `Another instance of Atelier is using the data folder ${folder.path}`,
  );
  await claim.release();
});

test('an invalid port setting is refused', async () => {
  expect(await refusal(settings({ PORT: '3000x' }))).toBe(
    'PORT must be a port number from 1 to 65535, but it is "3000x".',
  );
  expect(await refusal(settings({ SUPABASE_LOCAL_PORT: '65535' }))).toContain('from 1 to 65532');
});

test('without its secrets, production mode names each missing one and prints no value', async () => {
  const sentence = await refusal(
    settings({ NEXT_PUBLIC_SUPABASE_URL: 'https://project.supabase.co', WEBHOOK_SECRET: 'much-too-short' }),
  );
  for (const name of [
    'NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY',
    'SUPABASE_SECRET_KEY',
    'APP_URL',
    'SPEC_WORKFLOW_URL',
    'WEBHOOK_SECRET',
    'IMAGE_WEBHOOK_SECRET',
    'WORKFLOW_SIGNING_SECRET',
    'CRON_SECRET',
  ]) {
    expect(sentence).toMatch(new RegExp(`\\b${name} `));
  }
  expect(sentence).not.toContain('much-too-short');
});
