import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { systemEnv } from '@/lib/launcher/system-env';
import { freePort } from '@/supabase/local/backend/free-port';
import { loadDispatchers } from '@/tests/app/kit/load-dispatchers';
import { startReceiver } from '@/tests/app/kit/trigger-receiver';
import { type Api, apiAt } from '@/tests/app/support/api';
import { newAdmin } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { upload, waitForStatus } from '@/tests/app/support/specs';
import { signBody } from '@/tests/fakes/workflow/fake-app';
import { makePdf } from '@/tests/pdf/support/make-pdf';
import { makeDataDir } from '@/tests/setup/temporary-dir';

type Receiver = Awaited<ReturnType<typeof startReceiver>>;
const { url, env } = inject('atelier');
const page = readFileSync('lib/workflow/README.md', 'utf8');
const section = page.split('## Write a workflow service in 30 lines')[1] ?? '';
const blocks = [...section.matchAll(/```(js|sh)\n([\s\S]*?)```/g)].map(([, language, text = '']) => ({
  language,
  text,
}));
const program = blocks.find(({ language }) => language === 'js')?.text ?? '';
const curl = blocks.find(({ text }) => text.startsWith('curl'))?.text ?? '';

let folder: Awaited<ReturnType<typeof makeDataDir>>;
let service: ChildProcess;
let address: string;
let admin: Api;
let dispatchers: Awaited<ReturnType<typeof loadDispatchers>>;

beforeAll(async () => {
  folder = await makeDataDir();
  const file = join(folder.path, 'workflow.mjs');
  await writeFile(file, program);
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  const { WORKFLOW_SIGNING_SECRET, WEBHOOK_SECRET } = env;
  service = spawn(process.execPath, [file], {
    env: { NODE_ENV: 'production', PORT: String(port), WORKFLOW_SIGNING_SECRET, WEBHOOK_SECRET },
    stdio: 'inherit',
  });
  await poll('the service', async () => (await fetch(address, { method: 'POST' })).status === 401);
  // The product's own code sends the triggers to this service. It uses the product's own settings except for the URL.
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  vi.stubEnv('SPEC_WORKFLOW_URL', address);
  dispatchers = await loadDispatchers();
  admin = apiAt(url, (await newAdmin(env)).headers);
});
afterAll(async () => {
  service.kill();
  await once(service, 'exit');
  await folder.remove();
  vi.unstubAllEnvs();
});

const send = (subjectId: string) => {
  const item = { id: 0, kind: '', subjectId, run: 1, attempt: 2, leaseToken: '', requestId: null };
  return dispatchers.dispatchSpec(item, new AbortController().signal, dispatchers.logger());
};

test('the documented openssl command makes the signature of a trigger', async () => {
  const command = /```sh\n(key=[\s\S]*?)```/.exec(page)?.[1] ?? '';
  const body = '{"data":{"brand":"東京 \\\\ %s"}}';
  const { WORKFLOW_SIGNING_SECRET = '' } = env;
  const { headers } = signBody(WORKFLOW_SIGNING_SECRET, 'spec_1_1', new Date(), body);
  const { stdout } = await promisify(execFile)('bash', ['-c', command], {
    env: {
      ...systemEnv(),
      NODE_ENV: 'production',
      WORKFLOW_SIGNING_SECRET,
      WEBHOOK_ID: headers['webhook-id'],
      WEBHOOK_TIMESTAMP: headers['webhook-timestamp'],
      BODY: body,
    },
  });
  expect(`v1,${stdout.trim()}`).toBe(headers['webhook-signature']);
});

test('the documented workflow service has at most 30 lines', () => {
  const lines = program.split('\n').filter((line) => line.trim() !== '');
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.length).toBeLessThanOrEqual(30);
});

test('the documented workflow service accepts a trigger, fetches the PDF and reports', async () => {
  const file = await makePdf({ sections: 4, layout: 'table' });
  const id = await upload(admin, { propertyName: '[silent]', file });
  expect(await send(id)).toMatchObject({ type: 'dispatched' });
  expect(await waitForStatus(admin, id, 'completed')).toMatchObject({ sectionsCount: 4 });
});

test('the documented workflow service processes a repeated trigger once', async () => {
  const id = await upload(admin, { propertyName: '[silent]' });
  await send(id);
  await waitForStatus(admin, id, 'completed');
  expect(await send(id)).toMatchObject({ type: 'dispatched' });
  const { body } = await admin(`/api/admin/workflow/events?subject=${id}&direction=received`);
  expect(body).toMatchObject({ events: [{ outcome: 'applied' }] });
});

test('the documented workflow service rejects a request without a valid signature', async () => {
  const headers = { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
  const body = '{"data":{}}';
  for (const signature of ['', 'v1,', `v1,${Buffer.alloc(32).toString('base64')}`, 'v1a,abc']) {
    const response = await fetch(address, {
      method: 'POST',
      body,
      headers: { ...headers, 'webhook-signature': signature },
    });
    expect(response.status, signature).toBe(401);
  }
});

describe('with a separate app', () => {
  let app: Receiver;
  /** The statuses of the next responses to callbacks. Once the list is empty, the status is 200. */
  let statuses: number[] = [];
  beforeAll(async () => {
    app = await startReceiver(async ({ path }, respond) => {
      if (path === '/missing.pdf') respond({ status: 404 });
      else if (path === '/spec.pdf') respond({ status: 200, body: '/Type /Page /Type /Page' });
      else respond({ status: statuses.shift() ?? 200 });
    });
  });
  afterAll(() => app.stop());

  /** Sends a signed trigger and expects the service to accept it. */
  async function trigger(id: string, { pdf = '/spec.pdf', callback = `${app.url}/callback` } = {}) {
    const body = JSON.stringify({
      data: { spec_upload_id: id, url: `${app.url}${pdf}` },
      callback: { url: callback, secret_header: 'x-webhook-secret' },
    });
    const { headers } = signBody(env.WORKFLOW_SIGNING_SECRET ?? '', id, new Date(), body);
    expect((await fetch(address, { method: 'POST', body, headers })).status).toBe(202);
  }
  const reports = (id: string) =>
    app.received.flatMap(({ path, body }) => {
      const report = path === '/callback' ? JSON.parse(body.toString()) : {};
      return report.spec_upload_id === id ? [report] : [];
    });

  test('the documented workflow service survives an aborted request and a callback that cannot be reached', async () => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    await once(socket, 'connect');
    const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nstart';
    await new Promise((done) => socket.write(head, done));
    socket.destroy();
    await trigger('unreachable', { callback: `http://127.0.0.1:${await freePort()}/callback` });
    await trigger('after-the-abort');
    await poll('its report', async () => reports('after-the-abort').length === 1);
    expect(service.exitCode).toBeNull();
  });

  test('the documented workflow service sends a report again after a 503', async () => {
    statuses = [503, 503];
    await trigger('busy');
    await poll('the third report', async () => reports('busy').length === 3);
    expect(reports('busy')[2]).toEqual({ spec_upload_id: 'busy', status: 'completed', sections_count: 2 });
  });

  test('the documented workflow service reports a PDF that cannot be downloaded as failed', async () => {
    await trigger('missing', { pdf: '/missing.pdf' });
    const [report] = await poll('its report', async () => {
      const all = reports('missing');
      return all.length > 0 && all;
    });
    expect(report).toEqual({
      spec_upload_id: 'missing',
      status: 'failed',
      error: 'The PDF could not be downloaded: HTTP 404.',
    });
  });
});

test('the documented curl command reports a result, and fails with a wrong secret', async () => {
  const id = await upload(admin, { propertyName: '[silent]' });
  const shell = (secret: string) =>
    promisify(execFile)('sh', ['-c', curl], {
      env: {
        ...systemEnv(),
        NODE_ENV: 'production',
        APP_URL: url,
        WEBHOOK_SECRET: secret,
        SPEC_UPLOAD_ID: id,
      },
    });
  await expect(shell('not-the-secret')).rejects.toThrow();
  const { stdout } = await shell(env.WEBHOOK_SECRET ?? '');
  expect(JSON.parse(stdout)).toEqual({ received: true, applied: true, status: 'completed' });
  expect(await waitForStatus(admin, id, 'completed')).toMatchObject({ sectionsCount: 12 });
});
