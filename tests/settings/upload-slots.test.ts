import { beforeAll, expect, test } from 'vitest';
import type { HttpError } from '@/lib/errors/problem';
import { inUploadSlot } from '@/lib/http/upload-slots';
import { stubSettings } from '@/tests/settings/stub-settings';

beforeAll(() => stubSettings('http://127.0.0.1:1', { UPLOADS_AT_ONCE: '4' }));

const request = () =>
  new Request('http://127.0.0.1/', { method: 'POST', body: 'x'.repeat(100), duplex: 'half' } as RequestInit);
const refusal = { code: 'unavailable', status: 503, extra: { retryAfter: 2 } };

test('uploads have a limited number of slots, half of them for one user, and admins have their own', async () => {
  const end = Promise.withResolvers<string>();
  const start = (access: 'editor' | 'admin', user: string) =>
    inUploadSlot(request(), access, user, () => end.promise);
  const running = [start('editor', 'ada'), start('editor', 'ada')];
  await expect(start('editor', 'ada')).rejects.toMatchObject(refusal);
  running.push(start('editor', 'ben'), start('editor', 'cleo'));
  await expect(start('editor', 'dan')).rejects.toMatchObject(refusal);
  running.push(start('admin', 'dan'));
  end.resolve('stored');
  expect(await Promise.all(running)).toEqual(Array(5).fill('stored'));
  expect(await start('editor', 'dan')).toBe('stored');
});

test('an upload that fails frees its slot', async () => {
  const fails = () => inUploadSlot(request(), 'editor', 'eve', () => Promise.reject(new Error('cut off')));
  for (let n = 0; n < 5; n += 1) await expect(fails()).rejects.toThrow('cut off');
});

test('the most stalled upload of the user with the most makes room for an upload of somebody else', async () => {
  const senders: ReadableStreamDefaultController[] = [];
  const stalling = () => {
    const body = new ReadableStream({ start: (controller) => void senders.push(controller) });
    return new Request('http://127.0.0.1/', { method: 'POST', body, duplex: 'half' } as RequestInit);
  };
  const start = (user: string, sent: Request, stalledMs = 0) =>
    inUploadSlot(sent, 'editor', user, (received) => received.text(), stalledMs).catch(
      ({ code }: HttpError) => code,
    );
  const stalled = ['ada', 'ben', 'ben', 'cleo'].map((user) => start(user, stalling()));
  expect(await start('dan', request(), Infinity)).toBe('unavailable');
  expect(await start('dan', request())).toBe('x'.repeat(100));
  expect(await stalled[1]).toBe('too_slow');
  for (const n of [0, 2, 3]) senders[n]?.close();
  expect(await Promise.all(stalled)).toEqual(['', 'too_slow', '', '']);
});

test('an upload that has arrived keeps its slot while it is processed', async () => {
  const end = Promise.withResolvers<string>();
  const arrived = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
  const processed = arrived.map(({ resolve }) =>
    inUploadSlot(
      request(),
      'editor',
      'fay',
      async (received) => {
        await received.text();
        resolve();
        return end.promise;
      },
      0,
    ),
  );
  await Promise.all(arrived.map(({ promise }) => promise));
  await expect(inUploadSlot(request(), 'editor', 'fay', () => end.promise, 0)).rejects.toMatchObject(refusal);
  end.resolve('stored');
  expect(await Promise.all(processed)).toEqual(['stored', 'stored']);
});
