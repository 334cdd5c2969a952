import type { SupabaseClient } from '@supabase/supabase-js';

/**
 * Joins the presence of a private topic under `key`. Calls `onChange` with the keys of everyone present, including
 * `key`. Calls it with an empty array when the server rejects the join or the connection is lost. Returns a function
 * that leaves the topic.
 */
export function joinPresence(
  loading: SupabaseClient | Promise<SupabaseClient>,
  topic: string,
  key: string,
  onChange: (keys: readonly string[]) => void,
): () => void {
  let hasLeft = false;
  let leave: (() => void) | undefined;
  const join = async () => {
    const client = await loading;
    if (hasLeft) return;
    const channel = client.channel(topic, { config: { private: true, presence: { key } } });
    leave = () => void client.removeChannel(channel).catch(() => undefined);
    channel.on('presence', { event: 'sync' }, () => {
      if (!hasLeft) onChange(Object.keys(channel.presenceState()));
    });
    // A private topic requires the user's own token.
    await client.realtime.setAuth().catch(() => undefined);
    if (hasLeft) return;
    // The channel rejoins automatically after an error.
    channel.subscribe((status) => {
      if (status === 'SUBSCRIBED') void channel.track({});
      else if (!hasLeft) onChange([]);
    });
  };
  // If `loading` rejects or `subscribe` throws, `onChange` is never called, and no one is shown as present.
  join().catch(() => undefined);
  return () => {
    hasLeft = true;
    leave?.();
  };
}
