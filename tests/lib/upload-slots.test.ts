import { beforeAll, expect, test } from 'vitest';
import { inUploadSlot } from '@/lib/http/upload-slots';
import { stubSettings } from '@/tests/lib/stub-settings';

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
