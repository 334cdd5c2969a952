import { expect, test } from 'vitest';
import { createFreshStore, type Entry, type FreshStoreOptions } from '@/lib/matlib/cache/cache';
import { UpstreamError } from '@/lib/matlib/upstream/error';
import { createTestClock } from '@/tests/matlib/support/test-clock';

type Value = { n: number };

function createStore(changes: Partial<FreshStoreOptions<Value>> = {}) {
  const clock = createTestClock();
  const calls: { key: string; background: boolean }[] = [];
  const world = { broken: false, absent: false, n: 0 };
  const store = createFreshStore<Value>({
    load: async (key, _former, background): Promise<Entry<Value>> => {
      calls.push({ key, background });
      await new Promise((resolve) => setImmediate(resolve));
      if (world.broken) throw new Error('broken');
      world.n += 1;
      return world.absent ? { status: 'absent' } : { status: 'found', value: { n: world.n }, bytes: 10 };
    },
    ttlMs: 1_000,
    whileRevalidateMs: 10_000,
    ifErrorMs: 100_000,
    absentMs: 300,
    backOffMs: 50,
    max: 100,
    maxBytes: 1_000,
    clock,
    ...changes,
  });
  // A load takes one turn of the event loop. A load that begins before `settle` is called has therefore ended when the
  // promise of `settle` resolves.
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const read = async (key = 'a') => {
    const { entry, state } = await store.get(key);
    return [entry.status === 'found' ? entry.value.n : null, state];
  };
  return { store, clock, calls, world, settle, read };
}

test('the cache loads once for concurrent reads and then returns the value until the TTL is over', async () => {
  const { read, calls, clock } = createStore();
  const herd = await Promise.all(Array.from({ length: 1_000 }, () => read()));
  expect(new Set(herd.map(([n]) => n))).toEqual(new Set([1]));
  clock.advance(999);
  expect(await read()).toEqual([1, 'hit']);
  expect(calls).toEqual([{ key: 'a', background: false }]);
});

test('a stale value is returned at once while a fresh one is loaded, once for all readers', async () => {
  const { read, calls, clock, settle } = createStore();
  await read();
  clock.advance(1_500);
  expect(await Promise.all([read(), read(), read()])).toEqual(Array(3).fill([1, 'updating']));
  await settle();
  expect(await read()).toEqual([2, 'hit']);
  expect(calls.map(({ background }) => background)).toEqual([false, true]);
});

test('a stale value is kept when the load fails, and the key is not loaded again for a while', async () => {
  const { read, calls, clock, settle, world } = createStore();
  await read();
  world.broken = true;
  clock.advance(1_500);
  expect(await read()).toEqual([1, 'updating']);
  await settle();
  for (let i = 0; i < 20; i += 1) expect(await read()).toEqual([1, 'stale']);
  expect(calls).toHaveLength(2);
  // A new load starts, but the value counts as stale because the previous load failed.
  clock.advance(60);
  expect(await read()).toEqual([1, 'stale']);
  await settle();
  expect(calls).toHaveLength(3);
  world.broken = false;
  clock.advance(60);
  await read();
  await settle();
  expect(await read()).toEqual([2, 'hit']);
  clock.advance(1_500);
  expect(await read()).toEqual([2, 'updating']);
});

test('a key is not loaded again until the time that the failure sets, and each caller gets the remaining time', async () => {
  const clock = createTestClock();
  let calls = 0;
  const { store } = createStore({
    clock,
    load: async () => {
      calls += 1;
      throw new UpstreamError('limited', 'come back later', { retryAfterMs: 2_000 });
    },
  });
  await expect(store.get('a')).rejects.toMatchObject({ failure: 'limited', retryAfterMs: 2_000 });
  clock.advance(1_500);
  await expect(store.get('a')).rejects.toMatchObject({ failure: 'limited', retryAfterMs: 500 });
  expect(calls).toBe(1);
  clock.advance(501);
  await expect(store.get('a')).rejects.toMatchObject({ retryAfterMs: 2_000 });
  expect(calls).toBe(2);
});

test('a very old value waits for a fresh one, and is returned only if the load fails', async () => {
  const { read, clock, world } = createStore();
  await read();
  clock.advance(20_000);
  expect(await read()).toEqual([2, 'miss']);
  world.broken = true;
  clock.advance(20_000);
  expect(await read()).toEqual([2, 'stale']);
  clock.advance(100_000);
  await expect(read()).rejects.toThrow('broken');
});

test('a failure without an earlier value is an error for all readers and is cached briefly', async () => {
  const { read, calls, clock, world } = createStore();
  world.broken = true;
  const herd = await Promise.allSettled(Array.from({ length: 50 }, () => read()));
  expect(herd.every(({ status }) => status === 'rejected')).toBe(true);
  await expect(read()).rejects.toThrow('broken');
  expect(calls).toHaveLength(1);
  world.broken = false;
  clock.advance(60);
  expect(await read()).toEqual([1, 'miss']);
});

test('an absent value is cached for its own TTL and never returned stale', async () => {
  const { read, calls, clock, world } = createStore();
  world.absent = true;
  expect(await read()).toEqual([null, 'miss']);
  clock.advance(299);
  expect(await read()).toEqual([null, 'hit']);
  expect(calls).toHaveLength(1);
  world.absent = false;
  clock.advance(2);
  expect(await read()).toEqual([2, 'miss']);
});

test('a seeded value keeps its age', async () => {
  const { store, read, clock, settle } = createStore();
  store.seed('a', { n: 70 }, 10, clock.now() - 1_500);
  store.seed('b', { n: 71 }, 10, clock.now() - 500);
  expect(await read('a')).toEqual([70, 'updating']);
  expect(await read('b')).toEqual([71, 'hit']);
  await settle();
  expect(await read('a')).toEqual([1, 'hit']);
});

test('the cache is bounded, and a value evicted while it is loaded still reaches its readers', async () => {
  const { store, read } = createStore({ maxBytes: 50, max: 5 });
  const all = await Promise.all(Array.from({ length: 300 }, (_, i) => read(`key-${i}`)));
  expect(all.every(([n]) => typeof n === 'number')).toBe(true);
  expect(store.size().bytes).toBeLessThanOrEqual(50);
  expect(store.size().entries).toBeLessThanOrEqual(5);
});
