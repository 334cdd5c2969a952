/**
 * Asks again until the answer is there, and gives it. Throws after `timeoutMs` with what was waited for and the last
 * error, if asking threw.
 */
export async function poll<T>(
  what: string,
  ask: () => Promise<T | undefined | null | false>,
  { timeoutMs = 20_000, everyMs = 50 } = {},
): Promise<T> {
  let last: unknown;
  for (const until = Date.now() + timeoutMs; ; ) {
    try {
      const answer = await ask();
      if (answer) return answer;
    } catch (error) {
      last = error;
    }
    if (Date.now() > until) throw new Error(`${what}: not within ${timeoutMs} ms`, { cause: last });
    await new Promise((done) => setTimeout(done, everyMs));
  }
}

/** Runs a task for each item, at most `width` at a time; results come in the order of the items. */
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
