import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';

const LINGER_MS = 2_000;

export type JobListener = {
  /** Called with the raw payload. */
  onEvent: (payload: unknown) => void;
  /** Called after each join. Broadcasts are never replayed, so anything missed must be read. */
  onJoined: () => void;
};

type Entry = { channel: RealtimeChannel; listeners: Set<JobListener>; joined: boolean };
const entries = new Map<string, Entry>();

/**
 * Listens to the private broadcasts of one job. A client has one channel per topic, so all listeners of a job share it,
 * and it stays open for a moment after the last one is released.
 */
export function followJob(client: SupabaseClient, jobId: string, listener: JobListener) {
  const topic = `image-job:${jobId}`;
  const known = entries.get(topic);
  const entry = known && isOpen(client, known.channel) ? known : openChannel(client, topic);
  entry.listeners.add(listener);
  if (entry.joined) listener.onJoined();
  const release = () => {
    entry.listeners.delete(listener);
    setTimeout(() => closeIfUnused(client, topic, entry), LINGER_MS);
  };
  return { channel: entry.channel, isOpen: () => isOpen(client, entry.channel), release };
}

function isOpen(client: SupabaseClient, channel: RealtimeChannel): boolean {
  return client.getChannels().includes(channel);
}

function openChannel(client: SupabaseClient, topic: string): Entry {
  const listeners = new Set<JobListener>();
  const channel = client
    .channel(topic, { config: { private: true } })
    .on('broadcast', { event: 'job' }, ({ payload }) => {
      for (const { onEvent } of listeners) onEvent(payload);
    });
  const entry: Entry = { channel, listeners, joined: false };
  entries.set(topic, entry);
  const join = () => {
    // A caller that got the channel may already have unsubscribed it.
    if (!isOpen(client, channel)) return;
    channel.subscribe((status) => {
      entry.joined = status === 'SUBSCRIBED';
      if (entry.joined) for (const { onJoined } of listeners) onJoined();
    });
  };
  // A private topic requires the user's own token.
  client.realtime.setAuth().then(join, join);
  return entry;
}

function closeIfUnused(client: SupabaseClient, topic: string, entry: Entry): void {
  if (entry.listeners.size > 0 || entries.get(topic) !== entry) return;
  entries.delete(topic);
  if (isOpen(client, entry.channel)) client.removeChannel(entry.channel).catch(() => undefined);
}
