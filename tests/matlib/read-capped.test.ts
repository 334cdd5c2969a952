import { expect, test } from 'vitest';
import { readCapped } from '@/lib/matlib/upstream/read-capped';

function endless(): { stream: ReadableStream<Uint8Array>; sent: () => number } {
  let count = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      count += 1;
      controller.enqueue(new Uint8Array(1_000));
    },
  });
  return { stream, sent: () => count };
}

test('readCapped reads a body up to the limit and aborts a longer one', async () => {
  expect(await readCapped(new Response('12345'), 5)).toEqual(Buffer.from('12345'));
  await expect(readCapped(new Response('123456'), 5)).rejects.toMatchObject({ failure: 'content' });
  const { stream, sent } = endless();
  await expect(readCapped(new Response(stream), 10_000)).rejects.toMatchObject({ failure: 'content' });
  expect(sent()).toBeLessThan(20);
  expect(await readCapped(new Response(null), 5)).toHaveLength(0);
});

test('a body with a content-length over the limit is not read at all', async () => {
  const { stream, sent } = endless();
  const response = new Response(stream, { headers: { 'content-length': '999999' } });
  await expect(readCapped(response, 1_000)).rejects.toMatchObject({ failure: 'content' });
  expect(sent()).toBeLessThanOrEqual(1);
});
