import { expect, test } from 'vitest';
import { createBreaker } from '@/lib/matlib/upstream/breaker';
import { createTestClock } from '@/tests/matlib/support/test-clock';

function failTimes(breaker: ReturnType<typeof createBreaker>, count: number) {
  for (let i = 0; i < count; i += 1) {
    breaker.enter();
    breaker.fail();
  }
}

test('the breaker opens after five failures in a row, then lets one probe through', () => {
  const clock = createTestClock();
  const breaker = createBreaker(clock);
  failTimes(breaker, 4);
  breaker.enter();
  breaker.succeed();
  failTimes(breaker, 5);
  expect(() => breaker.enter()).toThrow(expect.objectContaining({ failure: 'open', retryAfterMs: 30_000 }));
  clock.advance(30_000);
  breaker.enter();
  expect(() => breaker.enter()).toThrow(expect.objectContaining({ failure: 'open' }));
  breaker.fail();
  expect(() => breaker.enter()).toThrow(expect.objectContaining({ retryAfterMs: 30_000 }));
  clock.advance(30_000);
  breaker.enter();
  breaker.succeed();
  breaker.enter();
  breaker.enter();
});

test('all calls are refused during a requested pause, and the longest of several pauses counts', () => {
  const clock = createTestClock();
  const breaker = createBreaker(clock);
  breaker.coolDown(9_000);
  breaker.coolDown(2_000);
  expect(() => breaker.enter()).toThrow(expect.objectContaining({ failure: 'limited', retryAfterMs: 9_000 }));
  clock.advance(9_000);
  breaker.enter();
});
