/** Time as the material library sees it, so that a test can be its master. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits `ms` milliseconds. */
  sleep(ms: number): Promise<void>;
  /** In [0, 1). */
  random(): number;
};

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
  random: Math.random,
};
