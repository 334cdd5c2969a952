import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '@/tests/app/support/poll';
import { workDuration } from '@/tests/fakes/workflow/callback';
import { signedTrigger, startFakeApp, type TriggerChanges } from '@/tests/fakes/workflow/fake-app';
import { createWorkflowHandlers } from '@/tests/fakes/workflow/handlers';
import type { Mode } from '@/tests/fakes/workflow/modes';
import { type FakeWorkflow, startFakeWorkflow } from '@/tests/fakes/workflow/server';
import { makeEncryptedPdf, makePdf } from '@/tests/pdf/support/make-pdf';

const secrets = {
  signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  webhookSecret: 'the-callback-secret-of-the-tests',
  imageWebhookSecret: 'the-image-secret-of-the-tests',
};
const settings = { ...secrets, delayMs: 10, retryBaseMs: 5 };

let app: Awaited<ReturnType<typeof startFakeApp>>;
let fake: FakeWorkflow;
let pdf: Uint8Array;

beforeAll(async () => {
  pdf = await makePdf({ sections: 3 });
  app = await startFakeApp(secrets);
  fake = await startFakeWorkflow({ ...settings, port: 0 });
  app.store(pdf);
});

afterEach(async () => {
  await control('DELETE');
  app.callbacks.length = 0;
  app.callbackStatuses.length = 0;
  app.store(pdf);
});

afterAll(async () => {
  await fake.stop();
  await app.stop();
});

function control(method: string, body?: unknown) {
  return fetch(`${fake.url}/control`, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

async function seen() {
  return (await (await control('GET')).json()) as {
    counts: { triggers: number; callbacks: number; underWay: number };
    triggers: { id: string; attempt: number; subject: string; mode: string }[];
    callbacks: { subject: string; tries: number; status: number | null }[];
  };
}

function post({ body, headers }: { body: string; headers: Record<string, string> }, signal?: AbortSignal) {
  return fetch(fake.specUrl, { method: 'POST', body, headers, signal });
}

/** Sends a trigger in a mode and waits until the fake is idle. */
async function run(mode: Mode, changes: TriggerChanges = {}) {
  await control('PUT', { mode });
  const trigger = app.trigger(changes);
  const response = await post(trigger);
  await settled();
  return {
    response,
    trigger,
    callbacks: app.callbacks,
    bodies: app.callbacks.map(({ text: sent }) => sent),
  };
}

async function settled() {
  await eventually(async () => expect((await seen()).counts.underWay).toBe(0));
}

function completed(subject: string, sections_count = 3) {
  return JSON.stringify({ spec_upload_id: subject, status: 'completed', sections_count });
}

const failedResult = (error: unknown = expect.any(String)) =>
  expect.objectContaining({ status: 'failed', error });

describe('valid spec triggers', () => {
  test('a trigger gets its response at once, and later a callback with the sections of the file', async () => {
    await control('PUT', { delayMs: 500 });
    const trigger = app.trigger();
    const response = await post(trigger);
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ accepted: true, duplicate: false });
    expect(app.callbacks).toEqual([]);
    await settled();
    const sent = { secret: secrets.webhookSecret, run: '1', text: completed(trigger.subject), objects: 0 };
    expect(app.callbacks).toEqual([sent]);
  });

  test('a repeated trigger is accepted again, and its file is processed once', async () => {
    const trigger = app.trigger();
    await post(trigger);
    const again = await post(trigger);
    expect(again.status).toBe(202);
    expect(await again.json()).toEqual({ accepted: true, duplicate: true });
    await settled();
    expect(app.callbacks).toHaveLength(1);
    expect((await seen()).triggers.map(({ mode }) => mode)).toEqual(['ok', 'duplicate']);
  });

  test('a callback is retried after temporary failures, but not after a refusal', async () => {
    app.callbackStatuses.push(503, 429, 500);
    const { callbacks } = await run('ok');
    expect(callbacks).toHaveLength(4);
    app.callbacks.length = 0;
    app.callbackStatuses.push(404);
    await run('ok');
    expect(app.callbacks).toHaveLength(1);
    expect((await seen()).callbacks.map(({ tries, status }) => [tries, status])).toEqual([
      [4, 200],
      [1, 404],
    ]);
  });
});

describe('refused spec triggers', () => {
  test.each<[string, number, (headers: Record<string, string>) => object]>([
    ['no signature', 401, ({ 'webhook-signature': _, ...rest }) => rest],
    ['a forged signature', 401, (headers) => ({ ...headers, 'webhook-signature': `v1,${'A'.repeat(43)}=` })],
    ['another id than the signed one', 401, (headers) => ({ ...headers, 'webhook-id': 'msg_other' })],
    ['an old timestamp', 401, (headers) => ({ ...headers, 'webhook-timestamp': '1700000000' })],
  ])('a trigger with %s gets %i', async (_name, status, change) => {
    const trigger = app.trigger();
    const headers = { ...change(trigger.headers) } as Record<string, string>;
    expect((await post({ body: trigger.body, headers })).status).toBe(status);
    expect((await seen()).counts.triggers).toBe(0);
  });

  test('a trigger signed with another key, or with a changed body, gets 401', async () => {
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    expect((await post(signedTrigger(other, app.url, pdf, {}))).status).toBe(401);
    const trigger = app.trigger();
    const body = trigger.body.replace('Acme', 'Evil');
    expect((await post({ ...trigger, body })).status).toBe(401);
  });

  test('a signed trigger with an invalid body gets 400 with a message', async () => {
    const response = await post(app.trigger({ data: { sha256: 'short' } }));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringContaining('data.sha256') });
  });

  test('an unknown path gets 404', async () => {
    expect((await fetch(`${fake.url}/nothing`)).status).toBe(404);
    expect((await fetch(fake.imageUrl)).status).toBe(404);
  });
});

describe('failed files', () => {
  test('a file that cannot be read is reported as failed with a message', async () => {
    app.store(await makeEncryptedPdf());
    const { bodies } = await run('ok');
    expect(bodies.map((body) => JSON.parse(body))).toEqual([
      failedResult('the PDF is protected with a password'),
    ]);
  });

  test.each([
    ['shorter', { size_bytes: 1_000_000 }, 'bytes long'],
    ['longer', { size_bytes: 100 }, 'is longer'],
    ['another hash', { sha256: '0'.repeat(64) }, 'sha256'],
    ['missing', { url: 'URL/gone.pdf' }, 'could not be fetched (404)'],
  ])(
    'a file that differs from the announced one (%s) is reported as failed with a message',
    async (_name, data, words) => {
      const changed = 'url' in data ? { url: String(data.url).replace('URL', app.url) } : data;
      const { bodies } = await run('ok', { data: changed });
      expect(bodies.map((body) => JSON.parse(body))).toEqual([failedResult(expect.stringContaining(words))]);
    },
  );
});

describe('spec modes', () => {
  test.each<[Mode, number]>([
    ['refuse', 422],
    ['broken', 500],
    ['unavailable', 503],
  ])('the mode %s returns %i and does nothing', async (mode, status) => {
    const { response, callbacks } = await run(mode);
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe(mode === 'unavailable' ? '1' : null);
    expect(callbacks).toEqual([]);
  });

  test('the mode silent accepts the work and never calls back', async () => {
    const { response, callbacks } = await run('silent');
    expect(response.status).toBe(202);
    expect(callbacks).toEqual([]);
  });

  test('the mode fast calls back before its response', async () => {
    await control('PUT', { mode: 'fast', delayMs: 60_000 });
    expect((await post(app.trigger())).status).toBe(202);
    expect(app.callbacks).toHaveLength(1);
  });

  test('the mode slow takes ten times the delay, the mode late takes until after the deadline, and both call back once', async () => {
    const duration = (mode: Mode, untilDeadline: number) =>
      workDuration({ mode, delayMs: 30 }, untilDeadline);
    expect([
      duration('ok', 400),
      duration('slow', 400),
      duration('late', 400),
      duration('late', -400),
    ]).toEqual([30, 300, 430, 30]);
    await control('PUT', { delayMs: 1 });
    await run('slow');
    await run('late', { deadlineInMs: 10 });
    expect(app.callbacks).toHaveLength(2);
  });

  test('the mode partial reports its progress before the result', async () => {
    const { callbacks } = await run('partial');
    const bodies = callbacks.map(({ text: body }) => JSON.parse(body));
    expect(bodies.map(({ status, progress }) => [status, progress])).toEqual([
      ['running', 0.25],
      ['running', 0.5],
      ['running', 0.75],
      ['completed', undefined],
    ]);
  });

  test('the modes twice, conflict, stale-run and garbage send two callbacks', async () => {
    const sentIn = async (mode: Mode, changes?: TriggerChanges) => {
      app.callbacks.length = 0;
      const { trigger, callbacks } = await run(mode, changes);
      return {
        right: completed(trigger.subject),
        sent: callbacks.map(({ run: of, text: body }) => [of, body]),
      };
    };
    const twice = await sentIn('twice');
    expect(twice.sent).toEqual([
      ['1', twice.right],
      ['1', twice.right],
    ]);
    const conflict = await sentIn('conflict');
    expect(conflict.sent).toEqual([
      ['1', conflict.right],
      ['1', expect.stringContaining('"failed"')],
    ]);
    const stale = await sentIn('stale-run', { run: 4 });
    expect(stale.sent).toEqual([
      ['3', expect.stringContaining('"failed"')],
      ['4', stale.right],
    ]);
    const garbage = await sentIn('garbage');
    expect(garbage.sent).toEqual([
      ['1', garbage.right.slice(0, -2)],
      ['1', garbage.right],
    ]);
  });

  test('the mode wrong-secret calls back with a wrong secret, and the mode fail with a failure', async () => {
    const wrong = await run('wrong-secret');
    expect(wrong.callbacks.map(({ secret }) => secret)).toEqual([
      expect.not.stringContaining(secrets.webhookSecret),
    ]);
    app.callbacks.length = 0;
    const fail = await run('fail');
    expect(fail.bodies.map((body) => JSON.parse(body))).toEqual([failedResult()]);
  });

  test('the modes numbers-as-text, list, completed, bad-section, error-object and nul report in other forms', async () => {
    const sentIn = async (mode: Mode): Promise<unknown> => {
      app.callbacks.length = 0;
      const { bodies } = await run(mode);
      return JSON.parse(bodies[0] ?? '');
    };
    const right = { status: 'completed', sections_count: 3 };
    expect(await sentIn('numbers-as-text')).toMatchObject({ ...right, sections_count: '3' });
    expect(await sentIn('list')).toMatchObject([right]);
    expect(await sentIn('completed')).toMatchObject({ ...right, status: 'Completed' });
    expect(await sentIn('bad-section')).toMatchObject({
      ...right,
      sections: [{ page: 1 }, { title: 'Appendix', page: 0 }],
    });
    expect(await sentIn('error-object')).toEqual(failedResult({ message: expect.any(String), code: 'told' }));
    expect(await sentIn('nul')).toEqual(failedResult(expect.stringContaining('\0')));
  });

  test('the mode flaky refuses the first tries of an id', async () => {
    await control('PUT', { mode: 'flaky', times: 2 });
    const trigger = app.trigger();
    const statuses = [await post(trigger), await post(trigger), await post(trigger)].map(
      ({ status }) => status,
    );
    expect(statuses).toEqual([500, 500, 202]);
    await settled();
    expect(app.callbacks).toHaveLength(1);
  });

  test('the modes hang and reset send no response and leave the work for the next try', async () => {
    for (const mode of ['hang', 'reset'] as const) {
      app.callbacks.length = 0;
      await control('PUT', { mode });
      const trigger = app.trigger();
      await expect(post(trigger, AbortSignal.timeout(200))).rejects.toThrow();
      await control('PUT', { mode: 'ok' });
      expect(await (await post(trigger)).json()).toEqual({ accepted: true, duplicate: false });
      await settled();
      expect(app.callbacks).toHaveLength(1);
    }
  });

  test('the mode lost-response accepts the work and cuts the connection', async () => {
    await control('PUT', { mode: 'lost-response' });
    const trigger = app.trigger();
    await expect(post(trigger)).rejects.toThrow();
    expect(await (await post(trigger)).json()).toEqual({ accepted: true, duplicate: true });
    await settled();
    expect(app.callbacks).toHaveLength(1);
  });
});

describe('the control of the fake for specs', () => {
  test('a tag in the name of the property sets the mode', async () => {
    const failing = await run('ok', { property: 'Grand Hotel [fail-once]' });
    expect(JSON.parse(failing.bodies[0] ?? '{}')).toEqual(failedResult());
    app.callbacks.length = 0;
    const again = await run('ok', { property: 'Grand Hotel [fail-once]', run: 2 });
    expect(again.bodies).toEqual([completed(again.trigger.subject)]);
  });

  test('a rule can apply to a single upload', async () => {
    const chosen = app.trigger();
    await control('PUT', { mode: 'refuse', match: { spec_upload_id: chosen.subject } });
    expect((await post(chosen)).status).toBe(422);
    expect((await post(app.trigger())).status).toBe(202);
    await settled();
  });

  test('a script sets the modes of the next tries of one upload', async () => {
    const trigger = app.trigger();
    const script = ['broken', 'unavailable'];
    await control('PUT', { mode: 'refuse', script, match: { spec_upload_id: trigger.subject } });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await post(trigger)).status);
    expect(statuses).toEqual([500, 503, 422, 422]);
  });

  test('modes are picked by weight, and the same seed gives the same picks', async () => {
    const round = async () => {
      await control('PUT', { weights: { silent: 1, refuse: 1, unavailable: 2 }, seed: 42 });
      const statuses: number[] = [];
      for (let count = 0; count < 12; count += 1) statuses.push((await post(app.trigger())).status);
      return statuses;
    };
    const first = await round();
    expect(new Set(first)).toEqual(new Set([202, 422, 503]));
    expect(await round()).toEqual(first);
  });

  test('the control refuses unknown settings', async () => {
    expect((await control('PUT', { mode: 'nonsense' })).status).toBe(400);
    expect((await control('PUT', { weights: { ok: -1 } })).status).toBe(400);
    expect((await control('PUT', { unknown: 1 })).status).toBe(400);
    expect((await control('PUT', { script: ['fail'] })).status).toBe(400);
  });

  test('the control returns the events without secrets or signed URLs', async () => {
    const { trigger } = await run('ok', { attempt: 3 });
    const told = await seen();
    expect(told.triggers).toEqual([
      expect.objectContaining({ id: trigger.id, attempt: 3, subject: trigger.subject }),
    ]);
    expect(told.callbacks).toEqual([expect.objectContaining({ subject: trigger.subject, status: 200 })]);
    const all = JSON.stringify(told);
    for (const secret of [...Object.values(secrets), 'token=', 'v1,']) expect(all).not.toContain(secret);
  });

  test('a reset deletes everything, including planned callbacks', async () => {
    await control('PUT', { delayMs: 3_600_000 });
    const trigger = app.trigger();
    await post(trigger);
    await control('DELETE');
    // The fake counts as idle immediately, because the reset sets `counts.underWay` to 0.
    await settled();
    expect(await seen()).toMatchObject({ mode: 'ok', delayMs: 10, triggers: [], counts: { triggers: 0 } });
    expect(await (await post(trigger)).json()).toEqual({ accepted: true, duplicate: false });
    await settled();
    expect(app.callbacks).toHaveLength(1);
  });
});

test('the fake workflow service also works in process, through msw', async () => {
  const { handlers, stop } = createWorkflowHandlers(settings, 'http://workflow.test');
  const received: unknown[] = [];
  const network = setupServer(
    ...handlers,
    http.get('http://app.test/spec.pdf', () => HttpResponse.arrayBuffer(new Uint8Array(pdf).buffer)),
    http.post('http://app.test/api/admin/specs/callback', async ({ request }) => {
      received.push(await request.json());
      return HttpResponse.json({ received: true });
    }),
  );
  network.listen({ onUnhandledFrame: 'error' });
  try {
    const { subject, body, headers } = signedTrigger(secrets.signingSecret, 'http://app.test', pdf, {});
    const response = await fetch('http://workflow.test/spec', { method: 'POST', body, headers });
    expect(response.status).toBe(202);
    await eventually(() => expect(received).toEqual([JSON.parse(completed(subject))]));
    const reset = signedTrigger(secrets.signingSecret, 'http://app.test', pdf, { property: 'Hotel [reset]' });
    await expect(fetch('http://workflow.test/spec', { method: 'POST', ...reset })).rejects.toThrow();
  } finally {
    stop();
    network.close();
  }
});
