/** The clock of the material library, which tests can control. */
export type Clock = {
  /** Returns the milliseconds since 1970. */
  now(): number;
  /** Waits `ms` milliseconds. */
  sleep(ms: number): Promise<void>;
  /** Returns a random number in [0, 1). */
  random(): number;
};

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
  random: Math.random,
};
