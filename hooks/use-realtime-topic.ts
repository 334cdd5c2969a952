'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { browserClient } from '@/lib/supabase/browser';
import { listenToTopic } from './realtime-topics';
import { useOnline } from './use-online';
import { usePublicConfig } from './use-public-config';

/** How updates arrive: by broadcast, by polling every few seconds, or not at all. */
export type LiveState = 'live' | 'polling' | 'offline';

type RealtimeTopic = {
  topic: string;
  event: string;
  /** Called with the raw payload; the caller validates it. */
  onEvent: (payload: unknown) => void;
  /** Reads everything again. Broadcasts are never replayed, so this is the only way to find missed changes. */
  onResync: () => void;
  /** Whether something shown is still in progress, so that a change is expected even if its broadcast is lost. */
  isUnfinished: () => boolean;
  /** Milliseconds between two resyncs while the topic is not joined. */
  pollMs?: number;
};

/** Hosted Supabase silently drops broadcasts beyond the plan's rate limit. */
const LIVE_RESYNC_MS = 60_000;

/**
 * Follows one event of a private broadcast topic. Calls `onResync` after each join, when the tab becomes visible, when the
 * network comes back, every `pollMs` while the topic is not joined, and every minute while it is joined and something is
 * unfinished.
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
      // The next topic is not joined yet.
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
