import type { SupabaseClient } from '@supabase/supabase-js';

/**
 * Joins the presence of a private topic under `key` and calls `onChange` with the keys of everyone in it, this one
 * included; with none while the topic is not joined. Returns a function that leaves.
 */
export function joinPresence(
  client: SupabaseClient,
  topic: string,
  key: string,
  onChange: (keys: readonly string[]) => void,
): () => void {
  let hasLeft = false;
  const channel = client.channel(topic, { config: { private: true, presence: { key } } });
  channel.on('presence', { event: 'sync' }, () => {
    if (!hasLeft) onChange(Object.keys(channel.presenceState()));
  });
  const join = async () => {
    // A private topic requires the user's own token.
    await client.realtime.setAuth().catch(() => undefined);
    if (hasLeft) return;
    // The channel rejoins by itself after an error.
    channel.subscribe((status) => {
      if (status === 'SUBSCRIBED') void channel.track({});
      else if (!hasLeft) onChange([]);
    });
  };
  // If joining is impossible (such as without WebSocket), nobody is shown.
  join().catch(() => undefined);
  return () => {
    hasLeft = true;
    client.removeChannel(channel).catch(() => undefined);
  };
}
