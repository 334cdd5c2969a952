import { expect, test } from 'vitest';
import { concurrencyLimit } from '@/lib/process/concurrency-limit';

test('at most the given number of tasks run at a time, in the order of their calls, and failed tasks make room too', async () => {
  const limit = concurrencyLimit(2);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const task = (number: number) => async () => {
    started.push(number);
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    if (number % 3 === 0) throw new Error('failed');
    return number;
  };
  const numbers = Array.from({ length: 12 }, (_, number) => number);
  for (const round of [1, 2]) {
    const results = await Promise.allSettled(numbers.map((number) => limit(task(number))));
    expect(results.map(({ status }) => status)).toEqual(
      numbers.map((number) => (number % 3 === 0 ? 'rejected' : 'fulfilled')),
    );
    expect(started).toEqual(Array.from({ length: round }, () => numbers).flat());
  }
  expect(most).toBe(2);
});
