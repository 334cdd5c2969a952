import { expect, test } from 'vitest';
import { coalesced } from '@/hooks/coalesced';
import { createSubmitOnce } from '@/hooks/submit-once';
import { ApiError, OfflineError } from '@/lib/http/client';

/** A sender that answers what it is told to, one after the other, and keeps the keys it was given. */
function senderOf(...answers: (string | Error)[]) {
  const keys: string[] = [];
  const send = async (key: string) => {
    keys.push(key);
    await Promise.resolve();
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { keys, send };
}

test('a double click is sent once and both get the answer', async () => {
  const submit = createSubmitOnce();
  const { keys, send } = senderOf('job');
  expect(await Promise.all([submit('x', send), submit('x', send)])).toEqual(['job', 'job']);
  expect(keys).toHaveLength(1);
});

test('the same thing after it was answered is a new one, with another key', async () => {
  const submit = createSubmitOnce();
  const { keys, send } = senderOf('one', 'two');
  await submit('x', send);
  await submit('x', send);
  expect(new Set(keys).size).toBe(2);
});

test.each([
  ['a lost connection', new OfflineError()],
  ['an error of the server', new ApiError(503, {})],
  ['being too fast', new ApiError(429, {})],
  ['a session that ended', new ApiError(401, {})],
  ['an answer that is not understood', new SyntaxError('not JSON')],
])('%s leaves it open: the next try has the same key', async (_, error) => {
  const submit = createSubmitOnce();
  const { keys, send } = senderOf(error, 'job');
  await expect(submit('x', send)).rejects.toBe(error);
  expect(await submit('x', send)).toBe('job');
  expect(keys[1]).toBe(keys[0]);
});

test('a refusal decides it: the next try has another key', async () => {
  const submit = createSubmitOnce();
  const { keys, send } = senderOf(new ApiError(409, {}), 'job');
  await expect(submit('x', send)).rejects.toThrow(ApiError);
  await submit('x', send);
  expect(keys[1]).not.toBe(keys[0]);
});

test('whatever asks during a reading is served by one more, which begins after it', async () => {
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

test('after a stop the reading is called off, and what waited for it does not begin another', async () => {
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
