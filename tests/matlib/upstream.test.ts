import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { UpstreamError } from '@/lib/matlib/upstream/error';
import { createUpstream, type JsonRequest } from '@/lib/matlib/upstream/upstream';
import { type Fixture, startFixture } from '@/tests/matlib/support/library-fixture';
import { createTestClock } from '@/tests/matlib/support/test-clock';

let fixture: Fixture;
beforeAll(async () => {
  // The asset that these tests fetch is only in the whole library.
  fixture = await startFixture(1);
});
afterEach(() => fixture.reset());
afterAll(() => fixture.stop());

function createClient() {
  const clock = createTestClock();
  const upstream = createUpstream({ baseUrl: fixture.fake.url, userAgent: 'Atelier/0', clock });
  const ask = (changes: Partial<JsonRequest<unknown>> = {}) =>
    upstream.getJson({
      path: '/files/oak_wood_floor',
      deadlineMs: 2_000,
      background: false,
      check: (json) => json,
      ...changes,
    });
  return { clock, ask };
}

const fileRequests = async () => (await fixture.seen()).counts.files;

test.each([
  ['error', { failure: 'status', status: 500 }, 1],
  ['unavailable', { failure: 'status', status: 503 }, 3],
  ['down', { failure: 'network' }, 3],
  ['html', { failure: 'content' }, 1],
  ['truncated', { failure: 'content' }, 1],
  ['redirect', { failure: 'network' }, 3],
  ['limit', { failure: 'limited', status: 429, retryAfterMs: 30_000 }, 1],
  ['limit-seconds', { failure: 'limited', status: 429, retryAfterMs: 7_000 }, 1],
] as const)('the mode %s fails with %j after %i calls', async (mode, expected, calls) => {
  await fixture.behave({ mode });
  const { ask } = createClient();
  await expect(ask()).rejects.toMatchObject(expected);
  expect(await fileRequests()).toBe(calls);
});

test.each(['slow', 'stall'] as const)('the deadline covers the body in the mode %s', async (mode) => {
  // The delay exceeds the time limit of any test, so only the deadline can end the call.
  await fixture.behave({ mode, delayMs: 3_600_000 });
  const { ask } = createClient();
  await expect(ask({ deadlineMs: 150 })).rejects.toMatchObject({ failure: 'timeout' });
  // A call that timed out is not retried.
  expect(await fileRequests()).toBe(1);
});

test('a temporary failure is retried with growing pauses until a call succeeds', async () => {
  await fixture.behave({ mode: 'unavailable', times: 2 });
  const { ask, clock } = createClient();
  expect(await ask()).toMatchObject({ kind: 'value' });
  expect(clock.slept).toEqual([100, 200]);
});

test('a background call is not retried', async () => {
  await fixture.behave({ mode: 'unavailable', times: 1 });
  const { ask } = createClient();
  await expect(ask({ background: true })).rejects.toMatchObject({ status: 503 });
  expect(await fileRequests()).toBe(1);
});

test.each(['limit-seconds', 'limit-date'] as const)(
  'the mode %s holds back every call until its time is over',
  async (mode) => {
    await fixture.behave({ mode, times: 1, retryAfterS: 20 });
    const { ask, clock } = createClient();
    await expect(ask()).rejects.toMatchObject({ failure: 'limited' });
    await expect(ask({ path: '/assets?type=models' })).rejects.toMatchObject({ failure: 'limited' });
    expect((await fixture.seen()).counts).toMatchObject({ files: 1, list: 0 });
    clock.advance(20_001);
    expect(await ask()).toMatchObject({ kind: 'value' });
  },
);

test('a 429 without Retry-After holds back every call for 30 s', async () => {
  await fixture.behave({ mode: 'limit' });
  const { ask, clock } = createClient();
  for (let i = 0; i < 20; i += 1) {
    await expect(ask({ path: `/files/oak_${i}` })).rejects.toMatchObject({ failure: 'limited' });
    clock.advance(1_000);
  }
  expect(await fileRequests()).toBe(1);
  await fixture.behave({ mode: 'ok' });
  clock.advance(10_001);
  expect(await ask()).toMatchObject({ kind: 'value' });
});

test('unusable responses about single assets do not open the breaker for everyone', async () => {
  const { ask, clock } = createClient();
  const unusable = () => {
    throw new UpstreamError('content', 'no usable file');
  };
  for (let i = 0; i < 8; i += 1) {
    await expect(ask({ oneAsset: true, check: unusable })).rejects.toMatchObject({ failure: 'content' });
  }
  expect(await ask({ path: '/assets?type=models' })).toMatchObject({ kind: 'value' });
  // An unusable response to a probe still proves that the library is back.
  await fixture.behave({ mode: 'error' });
  for (let i = 0; i < 5; i += 1) await expect(ask()).rejects.toMatchObject({ failure: 'status' });
  await fixture.behave({ mode: 'ok' });
  clock.advance(30_001);
  await expect(ask({ oneAsset: true, check: unusable })).rejects.toMatchObject({ failure: 'content' });
  const both = await Promise.all([ask(), ask()]);
  expect(both).toHaveLength(2);
});

test('five failures in a row open the breaker for 30 s, then one probe decides', async () => {
  await fixture.behave({ mode: 'error' });
  const { ask, clock } = createClient();
  for (let i = 0; i < 5; i += 1) await expect(ask()).rejects.toMatchObject({ failure: 'status' });
  await expect(ask()).rejects.toMatchObject({ failure: 'open', retryAfterMs: 30_000 });
  expect(await fileRequests()).toBe(5);
  clock.advance(30_001);
  await expect(ask()).rejects.toMatchObject({ failure: 'status' });
  await expect(ask()).rejects.toMatchObject({ failure: 'open' });
  await fixture.behave({ mode: 'ok' });
  clock.advance(30_001);
  const probes = await Promise.allSettled([ask(), ask()]);
  expect(probes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await ask()).toMatchObject({ kind: 'value' });
});

test('a 404 is neither retried nor counted as a failure', async () => {
  const { ask } = createClient();
  for (let i = 0; i < 8; i += 1) {
    expect(await ask({ path: '/files/nothing_of_that_name' })).toEqual({ kind: 'absent' });
  }
  expect(await ask()).toMatchObject({ kind: 'value' });
});
