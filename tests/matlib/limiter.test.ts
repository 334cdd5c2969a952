import { expect, test } from 'vitest';
import { createLimiter, politeLimits } from '@/lib/matlib/upstream/limiter';
import { createTestClock } from '@/tests/matlib/support/test-clock';

test('the limiter follows its token bucket: a burst at once, then five calls a second', async () => {
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

/** Creates a clock that wakes many concurrent sleepers in order of their wake-up times. */
function createTimeline() {
  let now = 0;
  const sleepers: { at: number; wake: () => void }[] = [];
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    random: () => 0.5,
    sleep: (ms: number) => new Promise<void>((wake) => sleepers.push({ at: now + ms, wake })),
    async runUntil(end: number) {
      for (;;) {
        await settle();
        const next = sleepers.sort((a, b) => a.at - b.at)[0];
        if (!next || next.at > end) break;
        sleepers.shift();
        now = next.at;
        next.wake();
      }
    },
  };
}

test.each([
  [12, 400],
  [15, 1_000],
  [20, 2_000],
])('%i calls at the same instant have all started by %i ms', async (count, last) => {
  const timeline = createTimeline();
  const limit = createLimiter(politeLimits, timeline);
  const starts: number[] = [];
  for (let i = 0; i < count; i += 1) {
    void limit(async () => {
      starts.push(timeline.now());
      await timeline.sleep(30);
    });
  }
  await timeline.runUntil(10_000);
  expect(starts).toHaveLength(count);
  expect(Math.max(...starts)).toBe(last);
});

test('of 100 calls at the same instant, only those that get a token within 3 s run', async () => {
  const timeline = createTimeline();
  const limit = createLimiter(politeLimits, timeline);
  const settled = Promise.allSettled(
    Array.from({ length: 100 }, () => limit(async () => timeline.sleep(30))),
  );
  await timeline.runUntil(10_000);
  const served = (await settled).filter(({ status }) => status === 'fulfilled');
  // A burst of ten, then five per second for 3 s.
  expect(served).toHaveLength(25);
});

test('the limiter runs four calls at once', async () => {
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

test('the limiter refuses calls that would wait too long or exceed the queue', async () => {
  const clock = createTestClock();
  const limit = createLimiter({ ...politeLimits, atOnce: 1, queue: 2 }, clock);
  let finish = () => {};
  const first = limit(() => new Promise<void>((resolve) => (finish = resolve)));
  const waiting = [limit(async () => 'a'), limit(async () => 'b')];
  const tooMany = limit(async () => 'c');
  await expect(tooMany).rejects.toMatchObject({ failure: 'busy', retryAfterMs: 3_000 });
  // The limiter's sleep advances the clock past 3 s, the longest time that a call may wait.
  for (const late of waiting) await expect(late).rejects.toMatchObject({ failure: 'busy' });
  finish();
  await first;
  await expect(limit(async () => 'd')).resolves.toBe('d');
});
