import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { untilLoaded } from '@/hooks/until-loaded';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a library that fails to load is loaded again, after longer and longer pauses', async () => {
  const load = vi.fn(() => Promise.resolve('library')).mockRejectedValueOnce(new Error('offline'));
  load.mockRejectedValueOnce(new Error('offline'));
  const onLoaded = vi.fn();
  untilLoaded(load, onLoaded);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(load).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(3_999);
  expect(load).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load).toHaveBeenCalledTimes(3);
  expect(onLoaded.mock.calls).toEqual([['library']]);
});

test('after a cancel, nothing is loaded again or passed on', async () => {
  const fail = vi.fn(() => Promise.reject(new Error('offline')));
  const succeed = vi.fn(() => Promise.resolve('library'));
  const onLoaded = vi.fn();
  const cancels = [untilLoaded(fail, onLoaded), untilLoaded(succeed, onLoaded)];
  for (const cancel of cancels) cancel();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([fail, succeed].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  expect(onLoaded).not.toHaveBeenCalled();
});
