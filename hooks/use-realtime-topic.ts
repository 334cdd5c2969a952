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
  /** Whether something shown is still under way: a change of it is to come, whether its broadcast arrives or not. */
  isUnfinished: () => boolean;
  /** Milliseconds between two resyncs while the topic is not joined. */
  pollMs?: number;
};

/** Hosted Supabase drops broadcasts beyond the rate of the plan, and tells nobody. */
const LIVE_RESYNC_MS = 60_000;

/**
 * Follows one event of a private broadcast topic. `onResync` is called after each join, when the tab is looked at
 * again, when the network comes back, every `pollMs` as long as the topic is not joined, and every minute while it is
 * joined and something is unfinished.
 */
export function useRealtimeTopic({
  topic,
  event,
  onEvent,
  onResync,
  isUnfinished,
  pollMs = 5_000,
}: RealtimeTopic): LiveState {
  const config = usePublicConfig();
  const online = useOnline();
  const [joined, setJoined] = useState(false);
  const handleEvent = useEffectEvent(onEvent);
  const resync = useEffectEvent(onResync);
  const resyncIfUnfinished = useEffectEvent(() => {
    if (isUnfinished()) onResync();
  });

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

  useEffect(() => {
    if (!online) return;
    const timer = setInterval(
      () => {
        if (document.visibilityState !== 'visible') return;
        if (joined) resyncIfUnfinished();
        else resync();
      },
      joined ? LIVE_RESYNC_MS : pollMs,
    );
    return () => clearInterval(timer);
  }, [online, joined, pollMs]);

  if (!online) return 'offline';
  return joined ? 'live' : 'polling';
}
