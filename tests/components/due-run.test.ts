import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDueRun } from '@/hooks/due-run';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('many requests cause a single run, at the earliest requested time', () => {
  const run = vi.fn();
  const due = createDueRun(run);
  due.within(5_000);
  due.within(300);
  due.within(2_000);
  vi.advanceTimersByTime(299);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10_000);
  expect(run).toHaveBeenCalledTimes(1);
  due.within(300);
  vi.advanceTimersByTime(300);
  expect(run).toHaveBeenCalledTimes(2);
});

test('a canceled run does not happen, and the next request schedules a new one', () => {
  const run = vi.fn();
  const due = createDueRun(run);
  due.within(300);
  due.cancel();
  vi.advanceTimersByTime(1_000);
  expect(run).not.toHaveBeenCalled();
  due.within(300);
  vi.advanceTimersByTime(300);
  expect(run).toHaveBeenCalledTimes(1);
});
