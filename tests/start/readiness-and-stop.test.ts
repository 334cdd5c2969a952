import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Atelier, startAtelier } from '@/lib/launcher/atelier';
import { uploadResponse } from '@/lib/specs/schema';
import { type Api, apiAt, expectProblem } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { sendFont, studioFont } from '@/tests/app/support/fonts';
import { form } from '@/tests/app/support/form';
import { openSpools } from '@/tests/app/support/open-spools';
import { newAdmin, type Person } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { sendUpload, upload, waitForStatus } from '@/tests/app/support/specs';
import { makeProject } from '@/tests/app/support/team';
import { uploadParts } from '@/tests/app/support/upload-parts';
import { freePorts } from '@/tests/setup/free-ports';
import { type DataDir, makeDatabaseDir } from '@/tests/setup/temporary-dir';

let folder: DataDir;
let atelier: Atelier;
let sql: Sql;
let admins: Person[];
let api: Api;

beforeAll(async () => {
  folder = await makeDatabaseDir();
  atelier = await startAtelier({
    ...(await freePorts()),
    dataDir: folder.path,
    distDir: process.env.ATELIER_DIST_DIR || '.next',
    // The test of readiness causes errors on purpose, so errors are not logged.
    env: {
      ATELIER_LOCAL_FSYNC: 'off',
      LOG_LEVEL: 'fatal',
      UPLOADS_AT_ONCE: '4',
      RATE_LIMIT_COSTLY: '10',
      CHROMIUM_PATH: '/nowhere/chromium',
    },
  });
  sql = openDatabase(atelier.databaseUrl);
  admins = await Promise.all([newAdmin(atelier.env), newAdmin(atelier.env), newAdmin(atelier.env)]);
  api = apiAt(atelier.url, admins[0]?.headers);
});

afterAll(async () => {
  await sql?.end();
  await atelier?.stop();
  await folder?.remove();
});

/** Starts an upload but sends only its first half. `finish` sends the rest and returns the response. */
async function beginUpload(person: Person | undefined) {
  const { body, headers } = form(await uploadParts({ propertyName: '[silent]' }));
  const request = httpRequest(`${atelier.url}/api/admin/specs/upload`, {
    method: 'POST',
    headers: { ...headers, ...person?.headers, 'content-length': body.length },
  });
  const responded = once(request, 'response');
  responded.catch(() => undefined);
  const half = Math.floor(body.length / 2);
  request.write(body.subarray(0, half));
  return {
    responded,
    async finish() {
      request.end(body.subarray(half));
      const [response] = await responded;
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      return { status: response.statusCode as number, text: Buffer.concat(chunks).toString() };
    },
  };
}

async function workOf(subjectId: string) {
  const [row] = await sql<{ state: string; attempts: number; leased: boolean; due: boolean }[]>`
    select state, attempts, lease_token is not null as leased, visible_at <= now() as due
      from private.work_items where subject_id = ${subjectId} order by id desc limit 1`;
  return row && { ...row };
}

async function endApp(signal: NodeJS.Signals): Promise<void> {
  const { app } = atelier.processes;
  app.kill(signal);
  await once(app, 'close');
}

/** Waits until the app is receiving this many uploads. */
const untilReceiving = (count: number) =>
  poll(`${count} uploads are coming in`, async () => openSpools(atelier.processes.app.pid).length === count);

test('without a browser, a font is not stored, and the client is told to try again', async () => {
  const { headers } = await newAdmin(atelier.env);
  const designer = apiAt(atelier.url, headers);
  const projectId = await makeProject(designer);
  const response = await sendFont(designer, projectId, await studioFont('Studio Serif'));
  expect(expectProblem(response, 'unavailable').detail).toBe('The font cannot be checked right now.');
  expect(response.headers.get('retry-after')).toBe('30');
  expect((await designer(`/api/projects/${projectId}/fonts`)).body).toEqual({ fonts: [] });
});

test('the readiness check names the parts that fail, and passes when they work again', async () => {
  const ask = () => apiAt(atelier.url)('/api/health/ready');
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

test('a call of the cron route reports how much due work it has run', async () => {
  const headers = { authorization: `Bearer ${atelier.env.CRON_SECRET}` };
  const { status, body } = await apiAt(atelier.url)('/api/cron/tick', { method: 'POST', headers });
  expect([status, body]).toEqual([200, { claimed: 0, dead: 0, timedOut: 0 }]);
});

test('uploads have a limited number of slots, half of them for one user, and a refused upload gets Retry-After', {
  tags: ['extended'],
}, async () => {
  const [first, second, third] = admins;
  const send = (person: Person | undefined) =>
    sendUpload(apiAt(atelier.url, person?.headers), { propertyName: '[silent]' });
  const held = [await beginUpload(first), await beginUpload(first)];
  await untilReceiving(2);
  const refused = await send(first);
  expectProblem(refused, 'unavailable');
  expect(refused.headers.get('retry-after')).toBe('2');
  expect((await send(second)).status).toBe(202);
  held.push(await beginUpload(second), await beginUpload(second));
  await untilReceiving(4);
  expectProblem(await send(third), 'unavailable');
  for (const each of held) expect((await each.finish()).status).toBe(202);
  for (const person of admins) expect((await send(person)).status).toBe(202);
});

test('most uploads above the rate limit are refused before they are received', async () => {
  const admin = await newAdmin(atelier.env);
  for (let refusedWith: number | null = null; refusedWith === null; ) {
    const upload = await beginUpload(admin);
    upload.responded.then(([response]) => {
      refusedWith = response.statusCode;
    });
    await poll('the upload is being received or is refused', async () => {
      return refusedWith ?? openSpools(atelier.processes.app.pid).length === 1;
    });
    if (refusedWith === null) expect((await upload.finish()).status).toBe(202);
    else expect(refusedWith).toBe(429);
  }
});

const title = 'the app returns its work to the queue at once at %s, without counting the attempt';
async function returnsWork(signal: NodeJS.Signals) {
  // The workflow service never responds to the trigger, so the item stays claimed.
  const id = await upload(api, { propertyName: '[hang-once]', fileName: `${randomUUID()}.pdf` });
  await poll('the item is claimed', async () => (await workOf(id))?.leased);
  await endApp(signal);
  expect(await workOf(id)).toEqual({ state: 'pending', attempts: 0, leased: false, due: true });
  await atelier.restartApp();
  await poll('the next process claims the item', async () => (await workOf(id))?.leased);
  expect(await workOf(id)).toMatchObject({ attempts: 1 });
}
test.each(['SIGTERM'] as const)(title, returnsWork);
test.each(['SIGINT'] as const)(title, { tags: ['extended'] }, returnsWork);

test('a request in progress gets its response before the process ends', async () => {
  const { finish } = await beginUpload(admins[0]);
  await untilReceiving(1);
  // Requests on an open keep-alive connection, such as a load balancer's, are refused too.
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () =>
    new Promise<number>((resolve, reject) => {
      const asked = httpRequest(`${atelier.url}/api/health`, { agent: kept }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      });
      asked.on('error', reject).end();
    });
  expect(await ask()).toBe(200);
  const ended = endApp('SIGTERM');
  await poll('new requests are refused', async () => (await ask().catch(() => null)) === null);
  const { status, text } = await finish();
  expect(status, text).toBe(202);
  await ended;
  kept.destroy();
  await atelier.restartApp();
  const { specUploadId } = uploadResponse.parse(JSON.parse(text));
  await waitForStatus(api, specUploadId, 'processing');
});

test('an open connection without a request does not keep the process from ending', {
  tags: ['extended'],
}, async () => {
  const socket = connect(Number(new URL(atelier.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const received = buffer(socket);
  // The response to a later request shows that the app has accepted the idle connection.
  expect((await api('/api/health')).status).toBe(200);
  await endApp('SIGTERM');
  // The connection was closed without a response. A server that still waited for a request would send a 408.
  expect((await received).toString()).toBe('');
  await atelier.restartApp();
});
