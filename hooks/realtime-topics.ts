import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';

export type TopicListener = {
  event: string;
  /** Called with the raw payload. */
  onEvent: (payload: unknown) => void;
  /**
   * Called with true on each join, and immediately if the topic is already joined. Called with false when a join fails
   * or the channel is lost or closed.
   */
  onJoined: (joined: boolean) => void;
};

export type TopicSubscription = {
  channel: RealtimeChannel;
  /**
   * Returns false once the channel is closed, for example because another caller has unsubscribed the shared channel.
   */
  isOpen: () => boolean;
  stop: () => void;
};

type Topic = { channel: RealtimeChannel; joined: boolean; listeners: Set<TopicListener> };

const LINGER_MS = 2_000;

const topics = new Map<string, Topic>();

/**
 * Listens to a private broadcast topic. A client has one channel per topic, which all listeners of the topic share. The
 * channel stays joined for a moment after the last listener stops, so that going from a list to a detail page does not
 * leave and rejoin the topic.
 */
export function listenToTopic(
  client: SupabaseClient,
  name: string,
  listener: TopicListener,
): TopicSubscription {
  const existing = topics.get(name);
  const topic = existing && isOpen(client, existing) ? existing : openTopic(client, name);
  topic.listeners.add(listener);
  if (topic.joined) listener.onJoined(true);
  return {
    channel: topic.channel,
    isOpen: () => isOpen(client, topic),
    stop: () => {
      topic.listeners.delete(listener);
      setTimeout(() => leaveIfUnused(client, name, topic), LINGER_MS);
    },
  };
}

function isOpen(client: SupabaseClient, { channel }: Topic): boolean {
  return client.getChannels().includes(channel);
}

function openTopic(client: SupabaseClient, name: string): Topic {
  const listeners = new Set<TopicListener>();
  const channel = client
    .channel(name, { config: { private: true } })
    .on('broadcast', { event: '*' }, ({ event, payload }) => {
      for (const listener of listeners) {
        if (listener.event === event) listener.onEvent(payload);
      }
    });
  const topic: Topic = { channel, joined: false, listeners };
  topics.set(name, topic);
  // If `subscribe` throws because the browser refuses to open a WebSocket, `onJoined` is never called.
  join(client, topic).catch(() => undefined);
  return topic;
}

async function join(client: SupabaseClient, topic: Topic): Promise<void> {
  // A private topic requires the user's own token.
  await client.realtime.setAuth().catch(() => undefined);
  // The channel may have been unsubscribed in the meantime.
  if (!isOpen(client, topic)) return;
  // After an error, the channel rejoins automatically and reports that here.
  topic.channel.subscribe((status) => {
    topic.joined = status === 'SUBSCRIBED';
    for (const { onJoined } of topic.listeners) onJoined(topic.joined);
  });
}

function leaveIfUnused(client: SupabaseClient, name: string, topic: Topic): void {
  if (topic.listeners.size > 0 || topics.get(name) !== topic) return;
  topics.delete(name);
  // `removeChannel` drops the channel before the server responds, so the topic can be opened again immediately.
  if (isOpen(client, topic)) client.removeChannel(topic.channel).catch(() => undefined);
}
