import { expect, test } from 'vitest';
import { cachedView } from '@/lib/export/view-cache';

test('a cached view is returned while another one is being made', async () => {
  const small = new Blob(['small']);
  await cachedView('small', 'ada', async () => small);
  const making = Promise.withResolvers<Blob>();
  const slow = cachedView('slow', 'ada', () => making.promise);
  const again = cachedView('small', 'ada', () => Promise.reject(new Error('It is made twice.')));
  expect(await again).toBe(small);
  making.resolve(new Blob(['slow']));
  expect((await slow).size).toBe(4);
});

test('a view is made once for two simultaneous requests', async () => {
  let made = 0;
  const make = async () => new Blob([`${++made}`]);
  const views = await Promise.all([cachedView('both', 'ada', make), cachedView('both', 'ben', make)]);
  expect(views[0]).toBe(views[1]);
  expect(made).toBe(1);
});
