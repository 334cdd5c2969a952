import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Atelier, startAtelier } from '@/lib/launcher/atelier';
import { readSavedSettings } from '@/lib/launcher/settings-file';
import { freePorts } from '@/tests/setup/free-ports';
import { makeDataDir } from '@/tests/setup/temporary-dir';
import { launch, pidOf, processesOf } from '@/tests/start/support/launch';

const ready = 'Ctrl-C stops everything';
const childEnv = { ATELIER_LOCAL_FSYNC: 'off', LOG_LEVEL: 'warn' };

let folder: Awaited<ReturnType<typeof makeDataDir>>;
let ports: { port: number; localPort: number };

beforeAll(async () => {
  folder = await makeDataDir();
  ports = await freePorts();
});

afterAll(async () => {
  const left = processesOf(folder.path);
  for (const line of left) process.kill(Number.parseInt(line, 10), 'SIGKILL');
  await folder.remove();
  expect(left).toEqual([]);
});

function start() {
  const { port, localPort } = ports;
  const named = { ATELIER_DATA_DIR: folder.path, PORT: `${port}`, SUPABASE_LOCAL_PORT: `${localPort}` };
  return launch({ ...childEnv, ...named });
}

function isOpen(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.unref();
  });
}

async function health(): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${ports.port}/api/health`);
  return response.json();
}

/** Expects that all processes exit and that nothing listens on their ports afterwards. */
async function expectNothingLeft(): Promise<void> {
  await expect.poll(() => processesOf(folder.path)).toEqual([]);
  const { port, localPort } = ports;
  for (const each of [port, localPort, localPort + 1, localPort + 2]) expect(await isOpen(each)).toBe(false);
}

describe('npm start', { concurrent: false }, () => {
  test('npm start prepares everything, prints the URL, restarts each process that dies, ends them all with its launcher, and starts again with the same secrets', async () => {
    const started = start();
    await started.printed(ready);
    expect(started.stdout()).toContain(`Atelier is ready at http://127.0.0.1:${ports.port} `);
    for (const account of ['admin@', 'member@', 'stranger@']) {
      expect(started.stdout()).toContain(`${account}atelier.test`);
    }
    expect(started.stdout()).toMatch(/^Database and backend: \d+\.\d s$/m);
    expect(await health()).toMatchObject({ status: 'ok' });
    const signIn = await fetch(`http://127.0.0.1:${ports.localPort}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: readSavedSettings(folder.path).NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY ?? '' },
      body: JSON.stringify({ email: 'admin@atelier.test', password: 'atelier-demo' }),
    });
    expect(signIn.status).toBe(200);
    expect(started.stderr()).toBe('');

    const parts = [
      ['the app', 'dist/server.mjs'],
      ['the process of the fake services', 'dist/fakes.mjs'],
      ['the embedded backend', 'dist/backend.mjs'],
    ] as const;
    for (const [what, command] of parts) {
      const pid = pidOf(folder.path, command);
      process.kill(pid, 'SIGKILL');
      const name = what.charAt(0).toUpperCase() + what.slice(1);
      await expect.poll(started.stderr).toContain(`${name} is running again.`);
      expect(started.stderr()).toContain(`${name} exited unexpectedly (SIGKILL). It restarts in 0.5 s.`);
      expect(pidOf(folder.path, command)).not.toBe(pid);
    }
    const response = await fetch(`http://127.0.0.1:${ports.port}/api/health/ready`);
    expect(await response.json()).toMatchObject({ checks: { database: 'ok', storage: 'ok' } });

    const saved = readSavedSettings(folder.path);
    process.kill(pidOf(folder.path, 'lib/launcher/main.mjs start'), 'SIGKILL');
    await expectNothingLeft();
    const again = start();
    const page = () => fetch(`http://127.0.0.1:${ports.port}/`).then((response) => response.text());
    await expect.poll(() => page().catch(() => '')).toContain('<h1>Atelier is starting</h1>');
    await again.printed(ready);
    expect(await health()).toMatchObject({ status: 'ok' });
    expect(readSavedSettings(folder.path)).toEqual(saved);
    await expect
      .poll(() => readdirSync(join(folder.path, 'chromium')))
      .toContainEqual(expect.stringMatching(/^chromium-[\d.]+-\w+$/));
    again.process.kill('SIGTERM');
    expect(await again.ended).toBe(0);
    await expectNothingLeft();
  });

  test('Ctrl-C during the preparation of npm start leaves nothing running', {
    tags: ['extended'],
  }, async () => {
    const started = start();
    await expect.poll(() => processesOf(folder.path).join()).toContain('dist/backend.mjs');
    started.process.kill('SIGINT');
    expect(await started.ended).toBe(0);
    expect(started.stdout()).not.toContain(ready);
    await expectNothingLeft();
  });
});

test('startAtelier restarts its app after a kill -9 at the same URL, and stops', {
  tags: ['extended'],
}, async () => {
  const deaths: string[] = [];
  const atelier: Atelier = await startAtelier({
    ...ports,
    dataDir: folder.path,
    distDir: process.env.ATELIER_DIST_DIR || '.next',
    env: childEnv,
    onDeath: (what, how) => deaths.push(`${what}: ${how}`),
  });
  const first = atelier.processes.app;
  first.kill('SIGKILL');
  await expect.poll(() => deaths).toEqual(['the app: SIGKILL']);
  await expect(health()).rejects.toThrow();
  await atelier.restartApp();
  expect(atelier.processes.app.pid).not.toBe(first.pid);
  expect(await health()).toMatchObject({ status: 'ok' });
  await atelier.stop();
  await expectNothingLeft();
});

test('a start with the saved settings and another material library allows the hosts of that library only', {
  tags: ['extended'],
}, async () => {
  const saved = readSavedSettings(folder.path);
  const fakeHost = `127.0.0.1:${ports.localPort + 3}`;
  expect(saved.MATLIB_ASSET_HOSTS).toBe(fakeHost);
  const atelier = await startAtelier({
    ...ports,
    dataDir: folder.path,
    distDir: process.env.ATELIER_DIST_DIR || '.next',
    // The environment is like that of a shell that has sourced the data folder's `env` file.
    env: { ...saved, ...childEnv, MATLIB_URL: 'https://api.polyhaven.com' },
  });
  const { headers } = await fetch(`${atelier.url}/sign-in`);
  const [images] = /img-src[^;]*/.exec(headers.get('content-security-policy') ?? '') ?? [];
  expect(images).toContain('cdn.polyhaven.com');
  expect(images).not.toContain(fakeHost);
  await atelier.stop();
  await expectNothingLeft();
});
