/** Milliseconds after which a wait fails. Even on a slow machine, only a hang takes this long. */
const LIMIT_MS = 180_000;
const FIRST_PAUSE_MS = 20;

/** Yields once per try, with growing pauses, so that polling puts little load on the product. */
async function* tries(longestPauseMs: number): AsyncGenerator<void, void> {
  const until = Date.now() + LIMIT_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
    yield;
    if (Date.now() > until) return;
    await new Promise((done) => setTimeout(done, Math.min(pause, longestPauseMs)));
  }
}

/**
 * Repeats `ask` until it returns a truthy value, and returns this value. After `LIMIT_MS`, throws an error with `what`
 * in its message. If the last try threw an error, that error is the cause. `everyMs` is the longest pause between
 * tries.
 */
export async function poll<T>(
  what: string,
  ask: () => Promise<T | undefined | null | false>,
  { everyMs = 300 } = {},
): Promise<T> {
  let last: unknown;
  for await (const _ of tries(everyMs)) {
    try {
      const found = await ask();
      if (found) return found;
      last = undefined;
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`Timed out waiting for: ${what}.`, { cause: last });
}

/** Repeats the expectations of `check` until they hold. Throws the last failure if they never do. */
export async function eventually(check: () => unknown, { everyMs = 100 } = {}): Promise<void> {
  let last: unknown;
  for await (const _ of tries(everyMs)) {
    try {
      await check();
      return;
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

/** Runs a task for each item, up to `width` at a time; returns the results in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  task: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const lane = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await task(items[i] as T, i);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return results;
}
