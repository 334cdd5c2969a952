import { LRUCache } from 'lru-cache';
import { messageOf } from '@/lib/errors/error-parts';
import type { Database } from '@/supabase/local/backend/database';
import type { Hub } from '@/supabase/local/backend/realtime/hub';

type MessageRow = {
  id: string;
  topic: string;
  event: string;
  payload: unknown;
  private: boolean;
};

const COLUMNS = 'id, topic, event, payload, private';
const BATCH = 500;
const RETRY_MS = 1_000;
const PRUNE_EVERY_MS = 3_600_000;

/**
 * Broadcasts new rows of realtime.messages to the joined clients. Postgres announces the ids of the rows in commit
 * order, and the feed sends the rows in that order. Rows that are announced during a read are fetched together by the
 * next read. If the listening connection is lost, the feed sends the missed rows of the last minute after the reconnect,
 * in the order of `inserted_at`. A read that fails is repeated within a second. On startup and then every hour,
 * deletes rows older than a day. Returns a function that stops the feed.
 */
export async function startMessageFeed(
  database: Database,
  hub: Hub,
  log: (line: string) => void,
): Promise<() => void> {
  const delivered = new LRUCache<string, true>({ max: 10_000 });
  let announced: string[] = [];
  let isReading = false;
  let wasListening = false;
  let missesRows = false;
  let isStopped = false;
  let retry: NodeJS.Timeout | undefined;

  function deliver(row: MessageRow): void {
    if (delivered.has(row.id)) return;
    delivered.set(row.id, true);
    const { id, topic, event, payload } = row;
    hub.broadcast(topic, row.private, { event, payload, meta: { id } });
  }

  async function read(): Promise<void> {
    if (isReading) return;
    isReading = true;
    clearTimeout(retry);
    try {
      while ((missesRows || announced.length > 0) && !isStopped) {
        await (missesRows ? readMissed() : readAnnounced());
      }
    } catch (error) {
      log(`realtime: messages could not be read: ${messageOf(error)}`);
      if (isStopped) return;
      retry = setTimeout(read, RETRY_MS);
      retry.unref();
    } finally {
      isReading = false;
    }
  }

  async function readAnnounced(): Promise<void> {
    const ids = announced.slice(0, BATCH);
    const rows = await database.query<MessageRow>(
      `select ${COLUMNS} from realtime.messages
       where id = any($1::uuid[]) and extension = 'broadcast'`,
      [ids],
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const row of ids.flatMap((id) => byId.get(id) ?? [])) deliver(row);
    announced = announced.slice(ids.length);
  }

  /** Called after a reconnect. Delivers the messages of the last minute that have not been delivered yet. */
  async function readMissed(): Promise<void> {
    // Clear the flag first, because the connection can be lost again during the read.
    missesRows = false;
    try {
      const rows = await database.query<MessageRow>(
        `select ${COLUMNS} from realtime.messages
         where extension = 'broadcast' and inserted_at > now() - interval '1 minute' order by inserted_at limit 5000`,
      );
      for (const row of rows) deliver(row);
    } catch (error) {
      missesRows = true;
      throw error;
    }
  }

  await database.listen(
    'realtime_messages',
    (id) => {
      announced.push(id);
      void read();
    },
    () => {
      missesRows = wasListening;
      wasListening = true;
      void read();
    },
  );

  const prune = () =>
    database
      .query("delete from realtime.messages where inserted_at < now() - interval '1 day'")
      .catch((error: unknown) => log(`realtime: old messages were not removed: ${messageOf(error)}`));
  void prune();
  const timer = setInterval(prune, PRUNE_EVERY_MS);
  timer.unref();
  return () => {
    isStopped = true;
    clearTimeout(retry);
    clearInterval(timer);
  };
}
