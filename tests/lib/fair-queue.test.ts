import { expect, test } from 'vitest';
import { concurrencyLimit, fairQueue } from '@/lib/process/fair-queue';

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

test('owners take turns, so the waiting work of one user delays another user by at most one turn', async () => {
  const turns = fairQueue('test of fairness');
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const all = [turns.run('busy', () => first.promise)];
  const note = (owner: string, name: string) => all.push(turns.run(owner, async () => void order.push(name)));
  for (const n of [1, 2, 3, 4]) note('busy', `busy ${n}`);
  note('other', 'other 1');
  note('other', 'other 2');
  first.resolve();
  await Promise.all(all);
  expect(order).toEqual(['busy 1', 'other 1', 'busy 2', 'other 2', 'busy 3', 'busy 4']);
});

test('turns run one at a time, and the next turn starts even if one fails', async () => {
  const turns = fairQueue('test of failures');
  let running = 0;
  let most = 0;
  const work = async (n: number) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
    if (n % 2) throw new Error('failed');
    return n;
  };
  const outcomes = await Promise.allSettled(
    [0, 1, 2, 3, 4].map((n) => turns.run(`owner ${n}`, () => work(n))),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(most).toBe(1);
});

test('in a queue with several lanes, one owner occupies only one of them', async () => {
  const turns = fairQueue('test of lanes', 2);
  const end = Promise.withResolvers<void>();
  const done: string[] = [];
  const work = (name: string, until: Promise<void>) =>
    turns.run(name.slice(0, 3), async () => {
      await until;
      done.push(name);
    });
  const slow = ['ada 1', 'ada 2'].map((name) => work(name, end.promise));
  await work('ben 1', Promise.resolve());
  await work('cat 1', Promise.resolve());
  end.resolve();
  await Promise.all(slow);
  expect(done).toEqual(['ben 1', 'cat 1', 'ada 1', 'ada 2']);
});
