import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { outgoingEvent } from '@/lib/event-endpoints/event-schema';
import {
  createdEndpoint,
  deliveriesResponse,
  type EventDelivery,
  endpointsResponse,
} from '@/lib/event-endpoints/schema';
import { type Api, apiAt, excerpt, expectProblem } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { startJob, waitForJob } from '@/tests/app/support/image-jobs';
import { newAdmin } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { unique, upload, waitForStatus } from '@/tests/app/support/specs';
import { makeProject } from '@/tests/app/support/team';
import { freePorts } from '@/tests/setup/free-ports';

const { url, env } = inject('atelier');
const sql = openDatabase();
let admin: Api;
let server: Server;
/** A second server with the same responses. The test that needs it starts it late. */
let lateServer: Server;
let port: number;
let latePort: number;
/**
 * The faults of the servers, by path. The next `times` requests whose body contains `word` fail with `status`, or get no
 * response if `status` is `hang`. All other requests succeed.
 */
const faults: Record<string, { word: string; times: number; status: number | 'hang' }> = {};
const received: {
  path: string;
  id: string;
  headers: Record<string, string>;
  body: string;
  failed: boolean;
}[] = [];

const receive: RequestListener = async (request, response) => {
  const { url: path = '', headers } = request;
  const body = await text(request);
  const fault = faults[path];
  const failed = fault !== undefined && fault.times > 0 && body.includes(fault.word);
  const id = String(headers['webhook-id']);
  received.push({ path, id, headers: headers as Record<string, string>, body, failed });
  if (!failed) return response.writeHead(204).end();
  fault.times -= 1;
  if (fault.status !== 'hang') response.writeHead(fault.status).end();
};

beforeAll(async () => {
  admin = apiAt(url, (await newAdmin(env)).headers);
  server = createServer(receive).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  lateServer = createServer(receive);
  latePort = (await freePorts()).port;
});
afterAll(async () => {
  for (const each of [server, lateServer]) {
    each.close();
    each.closeAllConnections();
  }
  for (const each of [port, latePort]) {
    await sql`delete from private.event_endpoints where url like ${`http://127.0.0.1:${each}/%`}`;
  }
  await sql.end();
});

async function addEndpoint(
  path: string,
  events: string[],
  { at = port, header }: { at?: number; header?: object } = {},
) {
  const json = { name: unique('Receiver'), url: `http://127.0.0.1:${at}${path}`, events, header };
  const result = await admin('/api/admin/workflow/endpoints', { json });
  expect(result.status, excerpt(result)).toBe(201);
  return createdEndpoint.parse(result.body);
}

/**
 * Waits until the delivery of a subject's event to an endpoint satisfies `isRight`, and returns the delivery. While
 * waiting, ends the back-offs of all deliveries.
 */
function delivery(endpoint: string, subject: string, isRight: (found: EventDelivery) => boolean) {
  return poll(`the delivery to ${endpoint}`, async () => {
    await sql`update private.work_items set visible_at = now()
               where kind = 'event_delivery' and state = 'pending' and lease_token is null`;
    const result = await admin(`/api/admin/workflow/deliveries?endpoint=${endpoint}&limit=100`);
    const { deliveries } = deliveriesResponse.parse(result.body);
    return deliveries.find((found) => found.subjectId === subject && isRight(found));
  });
}
const delivered = ({ state }: EventDelivery) => state === 'delivered';

test.concurrent('each event reaches receivers that fail, are slow or are down at first, with one id on all attempts', async () => {
  const word = unique('Grand Hotel');
  faults['/broken'] = { word, times: 2, status: 500 };
  faults['/slow'] = { word, times: 1, status: 'hang' };
  const spec = ['spec.completed', 'spec.failed'];
  const [broken, slow] = [
    await addEndpoint('/broken', spec, { at: latePort }),
    await addEndpoint('/slow', spec),
  ];
  const subject = await upload(admin, { propertyName: word });
  await waitForStatus(admin, subject, 'completed');
  await delivery(broken.id, subject, ({ reason }) => reason === 'The endpoint could not be reached.');
  lateServer.listen(latePort, '127.0.0.1');
  await once(lateServer, 'listening');
  expect(await delivery(broken.id, subject, delivered)).toMatchObject({ type: 'spec.completed', run: 1 });
  const late = await delivery(slow.id, subject, delivered);
  expect(late.attempts).toBeGreaterThanOrEqual(2);

  for (const [path, { secret }] of [['/broken', broken] as const, ['/slow', slow] as const]) {
    const mine = received.filter((each) => each.path === path && each.body.includes(subject));
    expect(mine.map(({ failed }) => failed)).toEqual(
      path === '/broken' ? [true, true, false] : [true, false],
    );
    expect(new Set(mine.map(({ id }) => id))).toEqual(new Set([`event_${late.eventId}`]));
    for (const { headers, body } of mine) {
      const event = outgoingEvent.parse(new Webhook(secret).verify(body, headers));
      expect(event).toMatchObject({
        id: headers['webhook-id'],
        type: 'spec.completed',
        data: { spec_upload_id: subject, status: 'completed', property: word, error: null },
      });
      expect(headers).not.toHaveProperty('x-workflow-token');
    }
  }
});

test.concurrent('an event that the endpoint rejects is given up, and can be sent again with the same id', async () => {
  const word = unique('A lobby [fail]');
  // Rejects all events for now. If one of another test was delivered, the error would be gone from the endpoint.
  const rejection = { word: '', times: Number.POSITIVE_INFINITY, status: 422 };
  faults['/rejecting'] = rejection;
  const { id } = await addEndpoint('/rejecting', ['image.failed']);
  const job = await startJob(admin, { projectId: await makeProject(admin), prompt: word });
  await waitForJob(admin, job, 'failed');
  const failed = await delivery(id, job, ({ state }) => state === 'failed');
  expect(failed).toMatchObject({
    type: 'image.failed',
    label: word,
    attempts: 1,
    reason: 'The endpoint rejected the event with HTTP 422.',
    canSendAgain: true,
  });
  const { endpoints } = endpointsResponse.parse((await admin('/api/admin/workflow/endpoints')).body);
  expect(endpoints.find((endpoint) => endpoint.id === id)).toMatchObject({
    pausedAt: null,
    lastError: failed.reason,
  });
  rejection.times = 0;
  const again = await admin(`/api/admin/workflow/deliveries/${failed.id}/send`, { method: 'POST' });
  expect(again.status, excerpt(again)).toBe(202);
  await delivery(id, job, delivered);
  const mine = received.filter(({ path, body }) => path === '/rejecting' && body.includes(job));
  expect(new Set(mine.map((each) => each.id)).size).toBe(1);
  expect(mine).toHaveLength(2);
});

test.concurrent('a paused endpoint gets no events until it is resumed, and then gets the events that it missed', async () => {
  const { id } = await addEndpoint('/paused', ['spec.failed']);
  await sql`update private.event_endpoints set paused_at = now(), failing_since = now() where id = ${id}`;
  const subject = await upload(admin, { propertyName: '[fail]' });
  await waitForStatus(admin, subject, 'failed');
  const held = await delivery(id, subject, ({ state }) => state === 'held');
  const refused = await admin(`/api/admin/workflow/deliveries/${held.id}/send`, { method: 'POST' });
  expect(expectProblem(refused, 'state_conflict').detail).toBe('The endpoint is paused. Resume it first.');
  expect(received.some(({ path }) => path === '/paused')).toBe(false);
  const result = await admin(`/api/admin/workflow/endpoints/${id}/resume`, { method: 'POST' });
  expect([result.status, result.body]).toEqual([202, { id, queued: expect.any(Number) }]);
  await delivery(id, subject, delivered);
  expect((await admin(`/api/admin/workflow/endpoints/${id}`, { method: 'DELETE' })).status).toBe(204);
});

test.concurrent('the secret of an endpoint is returned only when it is created, and the value of its header never', async () => {
  const header = { name: 'x-token', value: 'value-of-the-header' };
  const { id, secret } = await addEndpoint('/secret', ['export.failed'], { header });
  expect(secret).toMatch(/^whsec_/);
  for (const list of ['endpoints', 'deliveries']) {
    const result = await admin(`/api/admin/workflow/${list}`);
    expect(result.text).not.toContain('whsec_');
    expect(result.text).not.toContain(header.value);
  }
  expect((await admin('/api/admin/workflow/endpoints')).text).toContain(id);
});

test.concurrent('events carry the header of their endpoint, whose value stays when only its name is changed', async () => {
  const headerOf = async () => {
    const subject = await upload(admin, { propertyName: '[fail]' });
    await waitForStatus(admin, subject, 'failed');
    await delivery(id, subject, delivered);
    const mine = received.find(({ path, body }) => path === '/header' && body.includes(subject));
    return [mine?.headers.authorization, mine?.headers['x-token']];
  };
  const header = { name: 'Authorization', value: 'Bearer abc' };
  const { id } = await addEndpoint('/header', ['spec.failed'], { header });
  const path = `/api/admin/workflow/endpoints/${id}`;
  const change = (changed: unknown) =>
    admin(path, { method: 'PATCH', json: { name: 'Renamed', events: ['spec.failed'], header: changed } });
  expect(await headerOf()).toEqual(['Bearer abc', undefined]);
  expect((await change({ name: 'x-token' })).status).toBe(204);
  expect(await headerOf()).toEqual([undefined, 'Bearer abc']);
  const { endpoints } = endpointsResponse.parse((await admin('/api/admin/workflow/endpoints')).body);
  expect(endpoints.find((each) => each.id === id)).toMatchObject({ name: 'Renamed', headerName: 'x-token' });
  expect((await change(null)).status).toBe(204);
  expect(await headerOf()).toEqual([undefined, undefined]);
  const refused = expectProblem(await change({ name: 'x-token', value: '' }), 'invalid_request');
  expect(refused.errors).toEqual([{ path: 'header.value', message: 'is missing' }]);
});

test.each([
  [{ name: 'Content-Type', value: 'a' }, 'header.name', 'must not be a header that is already in use'],
  [{ name: 'webhook-id', value: 'a' }, 'header.name', 'must not be a header that is already in use'],
  [{ name: 'Connection', value: 'a' }, 'header.name', 'must not be a header that is already in use'],
  [{ name: 'x token', value: 'a' }, 'header.name', 'must be the name of a header, such as x-token'],
  [{ name: 'x-token', value: 'a\r\nb: c' }, 'header.value', 'must be visible ASCII characters'],
  [{ name: 'x-token', value: 'é' }, 'header.value', 'must be visible ASCII characters'],
  [{ name: 'x-token', value: 'a'.repeat(501) }, 'header.value', 'must have at most 500 characters'],
  [{ name: 'x-token' }, 'header.value', 'is missing'],
])('an endpoint with the header %.60j is refused', async (header, path, message) => {
  const json = { name: 'Refused', url: 'https://hooks.example.com/a', events: ['spec.failed'], header };
  const result = await admin('/api/admin/workflow/endpoints', { json });
  expect(expectProblem(result, 'invalid_request').errors).toEqual([{ path, message }]);
});

test.each([
  ['http://hooks.example.com/a', 'must use https, unless EVENT_HOSTS names its host'],
  [
    'https://localhost/a',
    'must not point to this machine or a private network, unless EVENT_HOSTS names its host',
  ],
  [
    'https://169.254.169.254/a',
    'must not point to this machine or a private network, unless EVENT_HOSTS names its host',
  ],
  [
    'https://[2001:db8::1]/a',
    'must not point to this machine or a private network, unless EVENT_HOSTS names its host',
  ],
  ['https://me:secret@hooks.example.com/a', 'must not contain a user name or password'],
  ['ftp://hooks.example.com/a', 'must be an http or https URL'],
])('an endpoint at %s is refused', async (address, message) => {
  const json = { name: 'Refused', url: address, events: ['spec.failed'] };
  const result = await admin('/api/admin/workflow/endpoints', { json });
  expect(expectProblem(result, 'invalid_request').errors).toEqual([{ path: 'url', message }]);
});
