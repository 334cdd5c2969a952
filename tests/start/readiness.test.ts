import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Atelier, startAtelier } from '@/lib/launcher/atelier';
import { apiAt, expectProblem } from '@/tests/app/support/api';
import { poll } from '@/tests/app/support/poll';
import { freePorts } from '@/tests/setup/free-ports';
import { makeDataDir } from '@/tests/setup/temporary-dir';

let folder: Awaited<ReturnType<typeof makeDataDir>>;
let atelier: Atelier;

beforeAll(async () => {
  folder = await makeDataDir();
  atelier = await startAtelier({
    ...(await freePorts()),
    dataDir: folder.path,
    distDir: process.env.ATELIER_DIST_DIR || '.next',
    // These tests cause errors on purpose, so errors are not logged.
    env: { ATELIER_LOCAL_FSYNC: 'off', LOG_LEVEL: 'fatal', CHROMIUM_PATH: '/nowhere/chromium' },
  });
});

afterAll(async () => {
  await atelier?.stop();
  await folder?.remove();
});

const ask = () => apiAt(atelier.url)('/api/health/ready');

test('the readiness check names the parts that fail, and passes when they work again', async () => {
  const without = await ask();
  expect(expectProblem(without, 'unavailable')).toMatchObject({
    detail: 'Not ready: browser.',
    checks: { database: 'ok', storage: 'ok', browser: 'failed', disk: 'ok' },
    queue: { pending: 0, oldestDueSeconds: 0 },
  });
  expect(without.headers.get('retry-after')).toBe('5');

  atelier.processes.backend?.kill('SIGSTOP');
  const away = await poll('the backend is reported as failed', async () => {
    const response = await ask();
    return response.text.includes('"database":"failed"') && response;
  });
  expect(expectProblem(away, 'unavailable')).toMatchObject({
    detail: 'Not ready: database, storage, browser.',
    queue: null,
  });
  // Even while the backend is frozen, the app reports its own process as healthy.
  expect((await apiAt(atelier.url)('/api/health')).status).toBe(200);

  atelier.processes.backend?.kill('SIGCONT');
  await poll('the backend is back', async () => (await ask()).text.includes('"database":"ok"'));
});
