import { describe, expect, test } from 'vitest';
import { retryPauseMs } from '@/hooks/retry-pause';
import { createUploadSequence } from '@/hooks/upload-sequence';
import { ApiError, OfflineError } from '@/lib/http/client';

/** Uploads to a server that answers the attempts in this order (null: stored), with a manual clock. */
function sequenceOf(...responses: (Error | null)[]) {
  const attempts: string[] = [];
  const stored: string[] = [];
  const failed: string[] = [];
  const pauses: { ms: number; then: () => void; canceled: boolean }[] = [];
  const sequence = createUploadSequence<{ key: string }>({
    upload: async ({ key }, signal) => {
      attempts.push(key);
      await settle();
      signal.throwIfAborted();
      const error = responses.shift();
      if (error) throw error;
      stored.push(key);
    },
    onFailed: ({ key }) => failed.push(key),
    wait: (ms, then) => {
      const pause = { ms, then, canceled: false };
      pauses.push(pause);
      return () => {
        pause.canceled = true;
      };
    },
  });
  const add = (...keys: string[]) => sequence.add(keys.map((key) => ({ key })));
  return { ...sequence, add, attempts, stored, failed, pauses };
}
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
async function settled() {
  for (let turn = 0; turn < 20; turn += 1) await settle();
}
const tooMany = (retryAfter?: string) => new ApiError(429, {}, retryAfter);

describe('createUploadSequence', () => {
  test.each([
    ['429', tooMany('7'), 7_000],
    ['429 without Retry-After', tooMany(), 10_000],
    ['503 with Retry-After', new ApiError(503, {}, '5'), 5_000],
  ])('after a %s, the same file is sent again first, once the pause is over', async (_, error, ms) => {
    const { add, attempts, stored, failed, pauses } = sequenceOf(null, error);
    add('a', 'b', 'c');
    await settled();
    add('d');
    await settled();
    expect(attempts).toEqual(['a', 'b']);
    expect(pauses).toMatchObject([{ ms }]);
    pauses[0]?.then();
    await settled();
    expect(attempts).toEqual(['a', 'b', 'b', 'c', 'd']);
    expect(stored).toEqual(['a', 'b', 'c', 'd']);
    expect(failed).toEqual([]);
  });

  test('a rejected file is reported and the next one starts without a pause', async () => {
    const { add, stored, failed, pauses } = sequenceOf(new ApiError(400, {}), new OfflineError());
    add('a', 'b', 'c');
    await settled();
    expect(failed).toEqual(['a', 'b']);
    expect(stored).toEqual(['c']);
    expect(pauses).toEqual([]);
  });

  test('a file that is dropped during a pause is not sent again', async () => {
    const { add, drop, attempts, stored, pauses } = sequenceOf(tooMany());
    add('a', 'b');
    await settled();
    drop('a');
    pauses[0]?.then();
    await settled();
    expect(attempts).toEqual(['a', 'b']);
    expect(stored).toEqual(['b']);
  });

  test('a file that is dropped during its upload is aborted, and the next one starts', async () => {
    const { add, drop, stored, failed } = sequenceOf();
    add('a', 'b');
    drop('a');
    await settled();
    expect(stored).toEqual(['b']);
    expect(failed).toEqual([]);
  });

  test('stopping during a pause cancels the pause and all files', async () => {
    const { add, stop, attempts, pauses } = sequenceOf(tooMany());
    add('a', 'b');
    await settled();
    stop();
    expect(pauses).toMatchObject([{ canceled: true }]);
    await settled();
    expect(attempts).toEqual(['a']);
  });
});

test('retryPauseMs returns null for errors that a later attempt does not fix by itself', () => {
  for (const error of [new ApiError(400, {}), new ApiError(503, {}), new OfflineError(), new Error('x')]) {
    expect(retryPauseMs(error)).toBeNull();
  }
});
