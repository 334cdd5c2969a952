/** The material library's source of time and randomness, which tests can replace. */
export type Clock = {
  /** Returns the milliseconds since 1970. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Returns a random number in [0, 1). */
  random(): number;
};

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
  random: Math.random,
};
