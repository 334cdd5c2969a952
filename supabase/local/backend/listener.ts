import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';

const PAUSE_MS = 200;

/**
 * Listens to a Postgres channel on its own connection. If that connection is lost, opens a new one. Calls `onPayload`
 * for each NOTIFY, and `onListening` after connecting and after each reconnect. Returns a function that stops
 * listening. Throws if the first connection fails.
 */
export async function listenTo(
  url: string,
  channel: string,
  onPayload: (payload: string) => void,
  onListening: () => void,
): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  let line: postgres.Sql;

  async function connect(): Promise<void> {
    const lost = Promise.withResolvers<void>();
    const options = {
      max: 1,
      max_lifetime: null,
      fetch_types: false,
      onnotice: () => {},
      onnotify: (name: string, payload: string) => name === channel && onPayload(payload),
      onclose: () => lost.resolve(),
    };
    line = postgres(url, options);
    try {
      await line.unsafe(`listen "${channel}"`);
    } catch (error) {
      void line.end({ timeout: 0 });
      throw error;
    }
    onListening();
    void lost.promise.then(reconnect);
  }

  async function reconnect(): Promise<void> {
    void line.end({ timeout: 0 });
    while (!stopping.signal.aborted) {
      await sleep(PAUSE_MS, undefined, { ref: false });
      if (stopping.signal.aborted) return;
      const done = await connect().then(
        () => true,
        () => false,
      );
      if (done) break;
    }
    // If the listener was stopped while this connection was being opened, close the connection.
    if (stopping.signal.aborted) await line.end({ timeout: 1 });
  }

  await connect();
  return async () => {
    stopping.abort();
    await line.end({ timeout: 1 });
  };
}
