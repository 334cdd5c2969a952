import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { withRequestId } from '@/lib/log/request-id';
import { sendTrigger, type Trigger } from '@/lib/workflow/send-trigger';

const address = 'http://workflow.test/spec';
const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const server = setupServer();
const never = new AbortController().signal;

beforeAll(() => {
  const secret = 'x'.repeat(40);
  const settings = {
    NEXT_PUBLIC_SUPABASE_URL: 'http://supabase.test',
    NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: secret,
    SUPABASE_SECRET_KEY: secret,
    APP_URL: 'http://app.test',
    SPEC_WORKFLOW_URL: address,
    IMAGE_WORKFLOW_URL: 'http://workflow.test/image',
    MATLIB_URL: 'http://library.test',
    WEBHOOK_SECRET: secret,
    IMAGE_WEBHOOK_SECRET: secret,
    WORKFLOW_SIGNING_SECRET: signingSecret,
    WORKFLOW_TOKEN: 'token-for-the-workflow',
    CRON_SECRET: secret,
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  server.listen({ onUnhandledFrame: 'error' });
});
beforeEach(() => {
  acknowledged = undefined;
  decideAcceptance(() => HttpResponse.json(true));
});
afterEach(() => server.resetHandlers());
afterAll(() => {
  server.close();
  vi.unstubAllEnvs();
});

const trigger: Trigger = {
  type: 'spec.process',
  id: 'spec_1_1',
  timestamp: '2026-11-21T00:00:00.000Z',
  attempt: 2,
  deadline_at: '2026-11-21T00:30:00.000Z',
  data: { brand: '東京' },
  callback: { url: 'http://app.test/callback?run=1', secret_header: 'x-webhook-secret', fields: [] },
};
const send = (signal = never) => sendTrigger(address, trigger, signal);
const response = (make: () => Response) => server.use(http.post(address, make));
/** Whether the app's last `trigger_accepted` call reported that the 2xx response contained an acknowledgment. */
let acknowledged: boolean | undefined;
const decideAcceptance = (make: () => Response) =>
  server.use(
    http.post('http://supabase.test/rest/v1/rpc/trigger_accepted', async ({ request }) => {
      acknowledged = z.object({ p_acknowledged: z.boolean() }).parse(await request.json()).p_acknowledged;
      return make();
    }),
  );

test('a trigger has the id of the request that caused it, if there is one', async () => {
  const seen: (string | null)[] = [];
  server.use(
    http.post(address, ({ request }) => {
      seen.push(request.headers.get('x-request-id'));
      return new HttpResponse(null, { status: 202 });
    }),
  );
  await withRequestId('request-0001', () => send());
  await withRequestId(null, () => send());
  expect(seen).toEqual(['request-0001', null]);
});

test('a trigger has a Standard Webhooks signature and the token, but contains no secret', async () => {
  let seen: Request | undefined;
  server.use(
    http.post(address, ({ request }) => {
      seen = request.clone();
      return new HttpResponse(null, { status: 202 });
    }),
  );
  expect(await send()).toEqual({ type: 'dispatched', deadline: new Date(trigger.deadline_at) });
  const body = (await seen?.text()) ?? '';
  const headers = Object.fromEntries(seen?.headers ?? []);
  expect(new Webhook(signingSecret).verify(body, headers)).toEqual(trigger);
  expect(headers).toMatchObject({ 'webhook-id': trigger.id, 'x-workflow-token': 'token-for-the-workflow' });
  expect(JSON.stringify(headers) + body).not.toContain('xxxx');
  expect(() => new Webhook(signingSecret).verify(body.replace('東京', '京都'), headers)).toThrow();
});

test.each([200, 201, 202, 204])('the status %i means that the trigger was accepted', async (status) => {
  response(() => new HttpResponse(null, { status }));
  expect(await send()).toMatchObject({ type: 'dispatched' });
});

test.each([
  ['{"accepted":true}', true],
  ['{"accepted":true,"duplicate":false}', true],
  ['{"accepted":false}', false],
  ['{"message":"Workflow was started"}', false],
  [`{"accepted":true,"rest":"${'x'.repeat(5000)}"}`, false],
  ['true', false],
  ['', false],
])('the body %.40j counts as an acknowledgment: %j', async (body, expected) => {
  response(() => new HttpResponse(body, { status: 202 }));
  expect(await send()).toMatchObject({ type: 'dispatched' });
  expect(acknowledged).toBe(expected);
});

test('a trigger is sent again if the database does not count the 2xx response as accepted', async () => {
  response(() => new HttpResponse(null, { status: 200 }));
  decideAcceptance(() => HttpResponse.json(false));
  expect(await send()).toEqual({
    type: 'failed',
    code: 'unreachable',
    error: 'The workflow service returned HTTP 200, but without an acknowledgment.',
    retryable: true,
  });
});

test.each(['n8n is starting up. Please wait', '<html><h1>The server is starting …</h1></html>'])(
  'a trigger is sent again if the service returns the text %j',
  async (text) => {
    response(() => new HttpResponse(text, { status: 200 }));
    expect(await send()).toEqual({
      type: 'failed',
      code: 'unreachable',
      error: 'The workflow service returned HTTP 200, but it is still starting.',
      retryable: true,
    });
    expect(acknowledged).toBeUndefined();
  },
);

test('an accepted trigger is an error while the database is unavailable, so that it is sent again', async () => {
  response(() => new HttpResponse(null, { status: 202 }));
  decideAcceptance(() => new HttpResponse(null, { status: 503 }));
  await expect(send()).rejects.toMatchObject({ code: 'unavailable' });
});

test.each([400, 401, 410, 413, 422])(
  'the status %i means that the trigger was refused for good',
  async (status) => {
    response(() => new HttpResponse(null, { status }));
    expect(await send()).toMatchObject({ type: 'failed', code: 'refused', retryable: false });
  },
);

test('people who read about an image are told of the image service, and those who read about a spec of the trigger', async () => {
  const errors = async (type: string) => {
    const error = async () => {
      const outcome = await sendTrigger(address, { ...trigger, type }, never);
      return outcome.type === 'failed' && outcome.error;
    };
    response(() => new HttpResponse(null, { status: 422 }));
    const refused = await error();
    response(() => new HttpResponse(null, { status: 503 }));
    return [refused, await error()];
  };
  expect(await errors('image.generate')).toEqual([
    'The image service rejected this request (HTTP 422).',
    'The image service returned HTTP 503.',
  ]);
  expect(await errors('spec.process')).toEqual([
    'The workflow service rejected the trigger with HTTP 422.',
    'The workflow service returned HTTP 503.',
  ]);
});

describe('the reason of a refusal', () => {
  const refused = async (status: number, body: string) => {
    response(() => new HttpResponse(body, { status }));
    const outcome = await sendTrigger(address, { ...trigger, type: 'image.generate' }, never);
    if (outcome.type !== 'failed') throw new Error('was not refused');
    return [outcome.error, outcome.detail];
  };
  const start = 'The image service rejected this request (HTTP 422)';

  test.each([
    ['{"message":"The prompt names a trademark."}', `${start}: The prompt names a trademark.`],
    ['{"message":"","error":{"code":7,"message":"Too dark."}}', `${start}: Too dark.`],
    ['{"message":["a","b"],"detail":"No such size."}', `${start}: No such size.`],
    ['{"error":"<p>Not <b>allowed</b></p>\\u0007\\nhere"}', `${start}: Not allowed here`],
    [
      '{"error":"Not read: https://files.test/a.pdf?token=abc"}',
      `${start}: Not read: https://files.test/a.pdf`,
    ],
    [`{"error":"${'é'.repeat(400)}"}`, `${start}: ${'é'.repeat(300)}`],
    [`{"error":"${'x'.repeat(5000)}"}`, `${start}.`],
    ['{"error":"The token is token-for-the-workflow"}', `${start}.`],
    ['{"reason":"unknown"}', `${start}.`],
    ['["The prompt"]', `${start}.`],
    ['null', `${start}.`],
    ['Unprocessable', `${start}.`],
    ['', `${start}.`],
  ])('the body %.60j of a refusal is shown as %.80j', async (body, error) => {
    expect(await refused(422, body)).toEqual([error, undefined]);
  });

  test.each([
    ['Authorization data is wrong!', 'Authorization data is wrong!'],
    ['{"message":"Wrong token."}', 'Wrong token.'],
    ['<html><body>Forbidden</body></html>', 'Forbidden'],
    ['{"accepted":false}', undefined],
    ['Not the token: token-for-the-workflow', undefined],
    [`Not the secret: ${signingSecret}`, undefined],
    [`{"message":"The key is ${signingSecret.slice('whsec_'.length).replaceAll('/', '\\/')}"}`, undefined],
  ])('the body %j of a 403 is only for administrators', async (body, detail) => {
    expect(await refused(403, body)).toEqual(['The image service rejected this request (HTTP 403).', detail]);
  });
});

test.each([301, 302, 307, 308, 404, 408, 425, 429, 500, 502, 503])(
  'the status %i means that the trigger is sent again',
  async (status) => {
    const headers = { location: 'http://evil.test/' };
    response(() => new HttpResponse(null, { status, headers }));
    expect(await send()).toMatchObject({ type: 'failed', code: 'unreachable', retryable: true });
  },
);

describe('Retry-After', () => {
  const inSeconds = (s: number) => new Date(Date.now() + s * 1000).toUTCString();
  test.each<[string, number | undefined]>([
    ['7', 7],
    ['999999', 3600],
    ['0', undefined],
    ['-3', undefined],
    ['soon', undefined],
    [inSeconds(-60), undefined],
  ])('Retry-After: %s is respected if it is valid', async (header, seconds) => {
    response(() => new HttpResponse(null, { status: 503, headers: { 'retry-after': header } }));
    expect(await send()).toMatchObject({ type: 'failed', retryable: true, retryAfterS: seconds });
  });

  test('Retry-After as a date is respected', async () => {
    response(() => new HttpResponse(null, { status: 429, headers: { 'retry-after': inSeconds(90) } }));
    const outcome = await send();
    expect(outcome.type === 'failed' && outcome.retryAfterS).toBeGreaterThan(85);
  });
});

test('a trigger is sent again if the service cannot be reached', async () => {
  response(() => HttpResponse.error());
  expect(await send()).toEqual({
    type: 'failed',
    code: 'unreachable',
    error: 'The workflow service could not be reached.',
    retryable: true,
  });
});

test('an abort ends the wait for the response at once', async () => {
  server.use(http.post(address, () => new Promise<Response>(() => undefined)));
  const stop = new AbortController();
  const sending = send(stop.signal);
  stop.abort();
  expect(await sending).toMatchObject({ type: 'failed', retryable: true });
});
