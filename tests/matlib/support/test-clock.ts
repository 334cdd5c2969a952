import type { Clock } from '@/lib/matlib/clock';

/**
 * Creates a clock that moves only when it is advanced or a caller sleeps, so no test actually waits. `slept` lists the
 * durations of the sleeps.
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
