'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { browserClient } from '@/lib/supabase/browser';
import { listenToTopic } from './realtime-topics';
import { useOnline } from './use-online';
import { usePublicConfig } from './use-public-config';

/** How fresh the page is: told of each change, asking every few seconds, or cut off. */
export type LiveState = 'live' | 'polling' | 'offline';

type RealtimeTopic = {
  topic: string;
  event: string;
  /** Gets the payload as it came; the caller checks its shape. */
  onEvent: (payload: unknown) => void;
  /** Reads everything again. Broadcasts are never replayed, so whatever was missed is only found this way. */
  onResync: () => void;
  /** Milliseconds between two resyncs while the topic is not joined. */
  pollMs?: number;
};

/**
 * Follows one event of a private broadcast topic. `onResync` is called after each join, when the tab is looked at
 * again, when the network comes back, and every `pollMs` as long as the topic is not joined.
 */
export function useRealtimeTopic({
  topic,
  event,
  onEvent,
  onResync,
  pollMs = 5_000,
}: RealtimeTopic): LiveState {
  const config = usePublicConfig();
  const online = useOnline();
  const [joined, setJoined] = useState(false);
  const handleEvent = useEffectEvent(onEvent);
  const resync = useEffectEvent(onResync);

  useEffect(() => {
    const stop = listenToTopic(browserClient(config), topic, {
      event,
      onEvent: (payload) => handleEvent(payload),
      onJoined: (now) => {
        setJoined(now);
        if (now) resync();
      },
    });
    return () => {
      stop();
      // That the last topic was joined says nothing about the next one.
      setJoined(false);
    };
  }, [config, topic, event]);

  useEffect(() => {
    const onVisible = () => {
      if (document.visibilityState === 'visible') resync();
    };
    const onOnline = () => resync();
    document.addEventListener('visibilitychange', onVisible);
    window.addEventListener('online', onOnline);
    return () => {
      document.removeEventListener('visibilitychange', onVisible);
      window.removeEventListener('online', onOnline);
    };
  }, []);

  const polling = online && !joined;
  useEffect(() => {
    if (!polling) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') resync();
    }, pollMs);
    return () => clearInterval(timer);
  }, [polling, pollMs]);

  if (!online) return 'offline';
  return joined ? 'live' : 'polling';
}
