import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pino from 'pino';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startLoop } from '@/lib/queue/loop';
import { runItem } from '@/lib/queue/run-item';
import type { WorkItem, WorkOutcome } from '@/lib/queue/work';
import { type Backend, startBackend } from '@/supabase/local/backend/start';
import { stubSettings } from '@/tests/settings/stub-settings';
import { type DataDir, makeDatabaseDir } from '@/tests/setup/temporary-dir';
import { makeSpec } from '@/tests/sql/support/make-spec';

const SECRET_KEY = 'sb_secret_for_the_test_of_the_loop';
/** Interval at which the loop looks for work, in milliseconds. */
const LOOK_MS = 1_000;
let dataDir: DataDir;
let backend: Backend;
let sql: postgres.Sql;
let stop: (() => Promise<void>) | undefined;

beforeAll(async () => {
  dataDir = await makeDatabaseDir();
  backend = await startBackend({
    dataDir: dataDir.path,
    port: 0,
    postgresPort: 0,
    publishableKey: 'sb_publishable_for_this_test',
    secretKey: SECRET_KEY,
    migrationsDir: join(import.meta.dirname, '../../supabase/migrations'),
    durable: false,
  });
  sql = postgres(backend.databaseUrl, { max: 1, onnotice: () => {} });
  stubSettings(backend.url, { SUPABASE_SECRET_KEY: SECRET_KEY, LOG_LEVEL: 'warn' });
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  await stop?.();
  await sql?.end();
  await backend?.stop();
  await dataDir?.remove();
});

test('an idle loop makes one call for all kinds, and a waiting item starts as soon as another one ends', async () => {
  const begun: WorkItem[] = [];
  const ends: (() => void)[] = [];
  const hold = (item: WorkItem) =>
    new Promise<WorkOutcome>((resolve) => {
      begun.push(item);
      ends.push(() => resolve({ type: 'closed' }));
    });
  const fetched = vi.spyOn(globalThis, 'fetch');
  const claims = () => fetched.mock.calls.filter(([url]) => String(url).endsWith('/rpc/work_claim')).length;
  // Hold the loop's timer. After the first look for work, the loop looks again only when this test fires the timer or
  // when an item ends.
  const held: (() => void)[] = [];
  const { setTimeout: realTimeout } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms?: number) => {
    if (ms !== LOOK_MS) return realTimeout(act, ms);
    held.push(act);
  }) as typeof setTimeout);
  const loop = startLoop({
    spec_dispatch: hold,
    image_dispatch: hold,
    pdf_export: Object.assign(hold.bind(null), { parallel: 2 }),
    event_delivery: Object.assign(hold.bind(null), { parallel: 4 }),
  });
  stop = async () => {
    for (const end of ends) end();
    await loop.stop();
  };

  await expect.poll(() => held.length).toBe(1);
  expect(claims()).toBe(1);

  for (let count = 0; count < 10; count += 1) await makeSpec(sql);
  held[0]?.();
  await expect.poll(() => held.length).toBe(2);
  expect(begun).toHaveLength(8);

  ends[0]?.();
  await expect.poll(() => begun.length).toBe(9);
  ends[1]?.();
  await expect.poll(() => begun.length).toBe(10);
  expect(new Set(begun.map(({ id }) => id)).size).toBe(10);
});

test('a result that cannot be reported because the backend is unavailable is logged with the reason but without a stack', async () => {
  await stop?.();
  await backend.stop();
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const handler = async (): Promise<WorkOutcome> => ({ type: 'dispatched', deadline: new Date() });
  const leaseToken = randomUUID();
  const item = {
    id: 1,
    kind: 'spec_dispatch',
    subjectId: 'any',
    run: 1,
    attempt: 1,
    leaseToken,
    requestId: null,
  };
  await runItem(handler, item, new AbortController().signal, log);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 40,
      msg: 'work not reported',
      code: 'unavailable',
      reason: expect.stringContaining('unavailable'),
    },
  ]);
  expect(lines.join()).not.toMatch(/\\n +at /);
});
