import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';

export type TopicListener = {
  event: string;
  onEvent: (payload: unknown) => void;
  /** Called at once when the topic is already joined, and after every change. */
  onJoined: (joined: boolean) => void;
};

type Topic = { channel: RealtimeChannel | null; joined: boolean; listeners: Set<TopicListener> };

const LINGER_MS = 2_000;

const topics = new Map<string, Topic>();
const leaving = new Map<string, Promise<unknown>>();

/**
 * Listens to a private broadcast topic; the returned function stops it. A client has one channel per topic, so all
 * listeners of a topic share it, and it stays joined for a moment after the last one leaves: going from a list to a detail
 * page then causes no leave and join.
 */
export function listenToTopic(client: SupabaseClient, name: string, listener: TopicListener): () => void {
  let topic = topics.get(name);
  if (!topic) {
    topic = { channel: null, joined: false, listeners: new Set() };
    topics.set(name, topic);
    // If joining is impossible (such as without WebSocket), `onJoined` is never called.
    join(client, name, topic).catch(() => undefined);
  }
  topic.listeners.add(listener);
  if (topic.joined) listener.onJoined(true);
  const joinedTopic = topic;
  return () => {
    joinedTopic.listeners.delete(listener);
    setTimeout(() => leaveIfUnused(client, name, joinedTopic), LINGER_MS);
  };
}

async function join(client: SupabaseClient, name: string, topic: Topic): Promise<void> {
  await leaving.get(name);
  // A private topic requires the user's own token.
  await client.realtime.setAuth().catch(() => undefined);
  if (topics.get(name) !== topic) return;
  const setJoined = (joined: boolean) => {
    topic.joined = joined;
    for (const { onJoined } of topic.listeners) onJoined(joined);
  };
  topic.channel = client
    .channel(name, { config: { private: true } })
    .on('broadcast', { event: '*' }, ({ event, payload }) => {
      for (const listener of topic.listeners) {
        if (listener.event === event) listener.onEvent(payload);
      }
    })
    // The channel rejoins by itself after an error, which is reported too.
    .subscribe((status) => setJoined(status === 'SUBSCRIBED'));
}

function leaveIfUnused(client: SupabaseClient, name: string, topic: Topic): void {
  if (topic.listeners.size > 0 || topics.get(name) !== topic) return;
  topics.delete(name);
  if (!topic.channel) return;
  const left = client.removeChannel(topic.channel).catch(() => undefined);
  leaving.set(name, left);
  void left.then(() => {
    if (leaving.get(name) === left) leaving.delete(name);
  });
}
