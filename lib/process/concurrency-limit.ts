export type Limit = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Returns a function that runs at most `max` tasks at a time. Other tasks wait in the order of their calls. */
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
