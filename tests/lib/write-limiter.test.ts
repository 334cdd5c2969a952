import { expect, test } from 'vitest';
import { makeWriteLimiter } from '@/lib/workflow-events/refused/write-limiter';

test('refusals beyond the limit per minute are not written, but are counted in the next write', () => {
  let now = 0;
  const takeWrite = makeWriteLimiter(() => now);
  const taken = Array.from({ length: 100 }, () => takeWrite('invalid_secret'));
  expect(taken.filter((times) => times > 0)).toHaveLength(60);
  expect(takeWrite('not_found')).toBe(1);
  now = 60_000;
  expect(takeWrite('invalid_secret')).toBe(41);
  expect(takeWrite('invalid_secret')).toBe(1);
});
