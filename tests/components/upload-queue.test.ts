import { describe, expect, test } from 'vitest';
import { retryPauseMs } from '@/hooks/retry-pause';
import { createUploadQueue } from '@/hooks/upload-queue';
import { ApiError, OfflineError } from '@/lib/http/client';

/**
 * Creates an upload queue whose pauses the test ends by hand. `responses` are the results of the first attempts, in
 * order: an error, or null for a stored upload. All further uploads are stored.
 */
function queueOf(responses: (Error | null)[], concurrency?: number) {
  const attempts: string[] = [];
  const events: string[] = [];
  const pauses: { ms: number; then: () => void; canceled: boolean }[] = [];
  const { add, ...queue } = createUploadQueue<string>({
    concurrency,
    send: async ({ id, idempotencyKey }, { signal, onProgress }) => {
      attempts.push(idempotencyKey);
      onProgress(1, 4);
      await settle();
      onProgress(4, 4);
      signal.throwIfAborted();
      const error = responses.shift();
      if (error) throw error;
      return `${id} is stored`;
    },
    onEvent: (event) => {
      const { id, type } = event;
      const more = type === 'progressed' ? ` ${event.progress}` : type === 'sent' ? `: ${event.result}` : '';
      events.push(`${id} ${type}${more}`);
    },
    wait: (ms, then) => {
      const pause = { ms, then, canceled: false };
      pauses.push(pause);
      return () => {
        pause.canceled = true;
      };
    },
  });
  const ended = (type: string) =>
    events.flatMap((event) => (event.split(/[ :]/)[1] === type ? event.slice(0, 1) : []));
  return {
    ...queue,
    add: (...ids: string[]) =>
      add(ids.map((id) => ({ id, idempotencyKey: `key-${id}`, form: new FormData() }))),
    attempts,
    events,
    pauses,
    stored: () => ended('sent'),
    failed: () => ended('failed'),
  };
}
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
async function settled() {
  for (let turn = 0; turn < 20; turn += 1) await settle();
}
const tooMany = (retryAfter?: string) => new ApiError(429, {}, retryAfter);

describe('createUploadQueue', () => {
  test('a file reports its start, its progress and the response of the server', async () => {
    const { add, events } = queueOf([]);
    add('a');
    await settled();
    expect(events).toEqual(['a started', 'a progressed 0.25', 'a progressed 1', 'a sent: a is stored']);
  });

  test('at most as many files as allowed are sent at once, in order', async () => {
    const { add, attempts, stored } = queueOf([], 2);
    add('a', 'b', 'c');
    expect(attempts).toEqual(['key-a', 'key-b']);
    await settled();
    expect(stored()).toEqual(['a', 'b', 'c']);
  });

  test('a file that is added twice is sent once', async () => {
    const { add, attempts } = queueOf([]);
    add('a', 'b');
    add('a', 'b');
    await settled();
    expect(attempts).toEqual(['key-a', 'key-b']);
  });

  test.each([
    ['429', tooMany('7'), 7_000],
    ['429 without Retry-After', tooMany(), 10_000],
    ['503 with Retry-After', new ApiError(503, {}, '5'), 5_000],
  ])('after a %s, the same file is sent again first, once the pause is over', async (_, error, ms) => {
    const { add, attempts, events, stored, failed, pauses } = queueOf([null, error]);
    add('a', 'b', 'c');
    await settled();
    add('d');
    await settled();
    expect(attempts).toEqual(['key-a', 'key-b']);
    expect(events.at(-1)).toBe('b postponed');
    expect(pauses).toMatchObject([{ ms }]);
    pauses[0]?.then();
    await settled();
    expect(attempts).toEqual(['key-a', 'key-b', 'key-b', 'key-c', 'key-d']);
    expect(stored()).toEqual(['a', 'b', 'c', 'd']);
    expect(failed()).toEqual([]);
  });

  test('when several files are postponed, the queue waits for the last pause', async () => {
    const { add, attempts, stored, pauses } = queueOf([tooMany('7'), tooMany('9')], 2);
    add('a', 'b', 'c');
    await settled();
    expect(attempts).toHaveLength(2);
    expect(pauses).toMatchObject([
      { ms: 7_000, canceled: true },
      { ms: 9_000, canceled: false },
    ]);
    pauses[1]?.then();
    await settled();
    expect(stored().sort()).toEqual(['a', 'b', 'c']);
  });

  test('a rejected file is reported and the next one starts without a pause', async () => {
    const { add, stored, failed, pauses } = queueOf([new ApiError(400, {}), new OfflineError()]);
    add('a', 'b', 'c');
    await settled();
    expect(failed()).toEqual(['a', 'b']);
    expect(stored()).toEqual(['c']);
    expect(pauses).toEqual([]);
  });

  test('a file that is dropped during a pause is not sent again', async () => {
    const { add, drop, attempts, stored, pauses } = queueOf([tooMany()]);
    add('a', 'b');
    await settled();
    drop('a');
    pauses[0]?.then();
    await settled();
    expect(attempts).toEqual(['key-a', 'key-b']);
    expect(stored()).toEqual(['b']);
  });

  test('a file that is dropped during its upload is aborted without a further event, and the next one starts', async () => {
    const { add, drop, events, stored } = queueOf([]);
    add('a', 'b');
    drop('a');
    await settled();
    expect(stored()).toEqual(['b']);
    expect(events.filter((event) => event.startsWith('a'))).toEqual(['a started', 'a progressed 0.25']);
  });

  test('a file that was dropped can be sent again, and keeps its place in the queue', async () => {
    const { add, drop, events, attempts } = queueOf([]);
    add('a');
    drop('a');
    add('a', 'b');
    await settled();
    expect(attempts).toEqual(['key-a', 'key-a', 'key-b']);
    expect(events.indexOf('b started')).toBe(events.indexOf('a sent: a is stored') + 1);
  });

  test('stopping during a pause cancels the pause and all files', async () => {
    const { add, stop, attempts, pauses } = queueOf([tooMany()]);
    add('a', 'b');
    await settled();
    stop();
    expect(pauses).toMatchObject([{ canceled: true }]);
    await settled();
    expect(attempts).toEqual(['key-a']);
  });
});

test('retryPauseMs returns null for errors that a later attempt cannot fix', () => {
  for (const error of [new ApiError(400, {}), new ApiError(503, {}), new OfflineError(), new Error('x')]) {
    expect(retryPauseMs(error)).toBeNull();
  }
});
