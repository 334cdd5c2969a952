import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '@/supabase/local/backend/database';
import type { Hub } from '@/supabase/local/backend/realtime/hub';
import { startMessageFeed } from '@/supabase/local/backend/realtime/message-feed';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * Starts a message feed on a fake database. The first `failures` reads of messages fail. `missed` are the ids of the
 * messages that were inserted while the feed was not listening.
 */
async function feedWith(failures: number, missed: string[] = []) {
  const delivered: string[] = [];
  const lines: string[] = [];
  let reads = 0;
  let announce = (_id: string) => {};
  let reconnect = () => {};
  const database: Pick<Database, 'query' | 'listen'> = {
    query: async <Row>(text: string, parameters: unknown[] = []) => {
      if (!text.startsWith('select')) return [];
      reads += 1;
      if (reads <= failures) throw new Error('lost');
      const [ids = missed] = parameters as [string[]?];
      return ids.map((id) => ({ id, topic: id, event: 'e', payload: {}, private: false })) as Row[];
    },
    listen: async (_channel, onPayload, onListening) => {
      announce = onPayload;
      reconnect = onListening;
      onListening();
    },
  };
  const hub: Pick<Hub, 'broadcast'> = { broadcast: (topic) => delivered.push(topic) };
  const stop = await startMessageFeed(database as Database, hub as Hub, (line) => lines.push(line));
  return {
    announce: (id: string) => announce(id),
    reconnect: () => reconnect(),
    stop,
    delivered,
    lines,
    reads: () => reads,
  };
}

test('messages whose read fails are read again soon, in order and once, without another message', async () => {
  const { announce, stop, delivered, lines } = await feedWith(2);
  announce('a');
  announce('b');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(delivered).toEqual(['a', 'b']);
  expect(lines).toHaveLength(2);
  stop();
});

test('after a reconnect, the missed messages are delivered, even if the first read of them fails', async () => {
  const { announce, reconnect, stop, delivered } = await feedWith(1, ['missed', 'too']);
  reconnect();
  announce('new');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(delivered).toEqual(['missed', 'too', 'new']);
  stop();
});

test('a feed that is stopped does not read again', async () => {
  const { announce, stop, reads } = await feedWith(Number.POSITIVE_INFINITY);
  announce('a');
  await vi.advanceTimersByTimeAsync(0);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads()).toBe(1);
});
