import { expect, test, vi } from 'vitest';
import { makeWriteLimiter } from '@/lib/workflow-events/refused/record-refused';

test('refusals beyond the limit per minute are not written, but are counted in the next write', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  const takeWrite = makeWriteLimiter();
  const taken = Array.from({ length: 100 }, () => takeWrite('invalid_secret'));
  expect(taken.filter((times) => times > 0)).toHaveLength(60);
  expect(takeWrite('not_found')).toBe(1);
  vi.setSystemTime(60_000);
  expect(takeWrite('invalid_secret')).toBe(41);
  expect(takeWrite('invalid_secret')).toBe(1);
});
