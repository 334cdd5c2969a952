import { expect, test } from 'vitest';
import { createResyncSchedule } from '@/hooks/resync-schedule';

test('a resync is due every minute while something is unfinished', () => {
  const isDue = createResyncSchedule();
  expect([isDue(true), isDue(true), isDue(true)]).toEqual([true, true, true]);
});

test('a resync is due every five minutes while nothing is unfinished', () => {
  const isDue = createResyncSchedule();
  const minutes = Array.from({ length: 12 }, (_, index) => index + 1);
  expect(minutes.filter(() => isDue(false))).toEqual([5, 10]);
});

test('the five minutes start again after each resync', () => {
  const isDue = createResyncSchedule();
  const due = [false, false, false, true, false, false, false, false, false].map(isDue);
  expect(due).toEqual([false, false, false, true, false, false, false, false, true]);
});
