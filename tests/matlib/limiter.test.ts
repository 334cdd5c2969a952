import { expect, test } from 'vitest';
import { createLimiter, politeLimits } from '@/lib/matlib/upstream/limiter';
import { createTestClock } from '@/tests/matlib/test-clock';

test('keeps the pace of the bucket: a burst at once, then five a second', async () => {
  const clock = createTestClock();
  const limit = createLimiter({ ...politeLimits, atOnce: 100, waitMs: 60_000 }, clock);
  const began = clock.now();
  const starts: number[] = [];
  await Promise.all(
    Array.from({ length: 30 }, () => limit(async () => void starts.push(clock.now() - began))),
  );
  expect(starts.filter((at) => at === 0)).toHaveLength(10);
  expect(Math.max(...starts)).toBeGreaterThanOrEqual(4_000);
  expect(Math.max(...starts)).toBeLessThan(4_300);
});

test('runs a few at once', async () => {
  const limit = createLimiter(
    { ...politeLimits, burst: 50 },
    { ...createTestClock(), sleep: () => new Promise(() => {}) },
  );
  let underWay = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 40 }, () =>
      limit(async () => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
      }),
    ),
  );
  expect(most).toBe(4);
});

test('refuses who would wait too long or stand in too long a queue', async () => {
  const clock = createTestClock();
  const limit = createLimiter({ ...politeLimits, atOnce: 1, queue: 2 }, clock);
  let finish = () => {};
  const first = limit(() => new Promise<void>((resolve) => (finish = resolve)));
  const waiting = [limit(async () => 'a'), limit(async () => 'b')];
  const tooMany = limit(async () => 'c');
  await expect(tooMany).rejects.toMatchObject({ failure: 'busy', retryAfterMs: 3_000 });
  // Sleeping moves the clock, so the two in the queue have waited 3 s by now.
  for (const late of waiting) await expect(late).rejects.toMatchObject({ failure: 'busy' });
  finish();
  await first;
  await expect(limit(async () => 'd')).resolves.toBe('d');
});
