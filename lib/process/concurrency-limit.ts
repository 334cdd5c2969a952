export type Limit = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Runs at most `max` tasks at a time; the others wait in order. */
export function concurrencyLimit(max: number): Limit {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
