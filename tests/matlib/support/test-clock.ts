import type { Clock } from '@/lib/matlib/clock';

/**
 * A clock that only moves when it is advanced or a caller sleeps, so that no test waits. `slept` lists the
 * sleeps.
 */
export function createTestClock() {
  let time = Date.now();
  const slept: number[] = [];
  const clock: Clock = {
    now: () => time,
    sleep: async (ms) => {
      slept.push(ms);
      await new Promise((resolve) => setImmediate(resolve));
      time += ms;
    },
    random: () => 0.5,
  };
  return {
    ...clock,
    slept,
    advance(ms: number): void {
      time += ms;
    },
  };
}
export type TestClock = ReturnType<typeof createTestClock>;
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
