import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';

const LINGER_MS = 2_000;

export type JobListener = {
  /** Gets the payload as it came. */
  onEvent: (payload: unknown) => void;
  /** Told after each join: broadcasts are never replayed, so what was missed has to be read. */
  onJoined: () => void;
};

type Entry = { channel: RealtimeChannel; listeners: Set<JobListener>; joined: boolean };
const entries = new Map<string, Entry>();

/**
 * Listens to the private broadcasts of one job. A client has one channel per topic, so all who follow a job share
 * it, and it stays for a moment after the last one let go.
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
    // Whoever got the channel may have unsubscribed it by now.
    if (!isOpen(client, channel)) return;
    channel.subscribe((status) => {
      entry.joined = status === 'SUBSCRIBED';
      if (entry.joined) for (const { onJoined } of listeners) onJoined();
    });
  };
  // A private topic is refused without the person's own token.
  client.realtime.setAuth().then(join, join);
  return entry;
}

function closeIfUnused(client: SupabaseClient, topic: string, entry: Entry): void {
  if (entry.listeners.size > 0 || entries.get(topic) !== entry) return;
  entries.delete(topic);
  if (isOpen(client, entry.channel)) client.removeChannel(entry.channel).catch(() => undefined);
}
