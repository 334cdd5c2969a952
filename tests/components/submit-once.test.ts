import { expect, test } from 'vitest';
import { coalesced } from '@/hooks/coalesced';
import { createSubmitOnce } from '@/hooks/submit-once';
import { ApiError, OfflineError } from '@/lib/http/client';

/** Creates a sender that returns or throws the given results in order and records the keys it receives. */
function senderOf(...responses: (string | Error)[]) {
  const keys: string[] = [];
  const send = async (key: string) => {
    keys.push(key);
    await Promise.resolve();
    const response = responses.shift();
    if (response instanceof Error) throw response;
    return response;
  };
  return { keys, send };
}

test('a double click sends one request and both calls get its result', async () => {
  const submit = createSubmitOnce();
  const { keys, send } = senderOf('job');
  expect(await Promise.all([submit('x', send), submit('x', send)])).toEqual(['job', 'job']);
  expect(keys).toHaveLength(1);
});

test('submitting the same input after a response uses a new key', async () => {
  const submit = createSubmitOnce();
  const { keys, send } = senderOf('one', 'two');
  await submit('x', send);
  await submit('x', send);
  expect(new Set(keys).size).toBe(2);
});

test.each([
  ['a lost connection', new OfflineError()],
  ['a server error', new ApiError(503, {})],
  ['a rate limit', new ApiError(429, {})],
  ['an expired session', new ApiError(401, {})],
  ['an unreadable response', new SyntaxError('not JSON')],
])('after %s, the retry uses the same key', async (_, error) => {
  const submit = createSubmitOnce();
  const { keys, send } = senderOf(error, 'job');
  await expect(submit('x', send)).rejects.toBe(error);
  expect(await submit('x', send)).toBe('job');
  expect(keys[1]).toBe(keys[0]);
});

test('after a rejection, the next attempt uses a new key', async () => {
  const submit = createSubmitOnce();
  const { keys, send } = senderOf(new ApiError(409, {}), 'job');
  await expect(submit('x', send)).rejects.toThrow(ApiError);
  await submit('x', send);
  expect(keys[1]).not.toBe(keys[0]);
});

test('calls during a run share one more run, which starts after the first', async () => {
  const started: (() => void)[] = [];
  const { run } = coalesced(() => new Promise((resolve) => started.push(resolve)));
  const first = run();
  const later = [run(), run(), run()];
  expect(started).toHaveLength(1);
  started[0]?.();
  await first;
  await Promise.resolve();
  expect(started).toHaveLength(2);
  started[1]?.();
  await Promise.all(later);
  expect(started).toHaveLength(2);
});

test('stopping aborts the current run and drops the waiting one', async () => {
  const signals: AbortSignal[] = [];
  const ends: (() => void)[] = [];
  const { run, stop } = coalesced((signal) => {
    signals.push(signal);
    return new Promise((resolve) => ends.push(resolve));
  });
  void run();
  const waiting = run();
  stop();
  expect(signals[0]?.aborted).toBe(true);
  ends[0]?.();
  await waiting;
  expect(signals).toHaveLength(1);
  void run();
  expect(signals).toHaveLength(2);
});
