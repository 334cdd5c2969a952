/**
 * The limits of the realtime service, close to those of hosted Supabase
 * (https://supabase.com/docs/guides/realtime/limits). Presence is limited more tightly, because each change of an entry
 * sends the old and the new one to every member of the topic.
 */
export const limits = {
  /** Bytes of a client's WebSocket message. */
  message: 256 << 10,
  /** Bytes of a presence entry. */
  presence: 4 << 10,
  /** Bytes of a topic, an event or a presence key. A binary frame stores the lengths in one byte each. */
  name: 255,
  /** Unsent bytes of a socket. A client that exceeds this has stopped reading. */
  unsent: 8 << 20,
  /** Milliseconds in which a client must send something. Clients send a heartbeat every 25 s. */
  silence: 70_000,
  sockets: 1_000,
  /** Sockets on which the account has joined a channel. */
  socketsPerAccount: 100,
  channelsPerSocket: 100,
  /** Messages of any kind, per socket. A client that reconnects joins all its channels at once. */
  messages: { perSecond: 100, burst: 500 },
  /** Broadcasts of clients, per account. */
  broadcasts: { perSecond: 100, burst: 200 },
  /** Changes of presence entries, per account. */
  presences: { perSecond: 1, burst: 60 },
};

const BYTES_PER_MESSAGE = 4 << 10;

/** Counts a message of this size, and returns false if there were too many. Each 4 KB count as a message. */
export type Budget = (bytes?: number) => boolean;

export function createBudget({ perSecond, burst }: { perSecond: number; burst: number }): Budget {
  let left = burst;
  let countedAt = performance.now();
  return (bytes = 0) => {
    const now = performance.now();
    left = Math.min(burst, left + ((now - countedAt) / 1_000) * perSecond);
    countedAt = now;
    const cost = Math.max(1, bytes / BYTES_PER_MESSAGE);
    if (cost > left) return false;
    left -= cost;
    return true;
  };
}
