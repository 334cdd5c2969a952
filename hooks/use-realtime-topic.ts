'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { browserClient } from '@/lib/supabase/browser';
import { listenToTopic } from './realtime-topics';
import { createResyncSchedule } from './resync-schedule';
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
  /** Whether something shown is still in progress, so that it will change whether its broadcast arrives or not. */
  isUnfinished: () => boolean;
  /** Milliseconds between two resyncs while the topic is not joined. */
  pollMs?: number;
};

/** Hosted Supabase silently drops broadcasts beyond the rate of the plan, so a joined topic resyncs as well. */
const MINUTE_MS = 60_000;

/**
 * Follows one event of a private broadcast topic. `onResync` is called after each join, when the tab becomes visible,
 * and when the network comes back. While the tab is visible it is also called every `pollMs` until the topic is joined;
 * then every minute while something is unfinished, and every five minutes otherwise.
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
  const hasUnfinished = useEffectEvent(isUnfinished);

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
    const isDue = createResyncSchedule();
    const timer = setInterval(
      () => {
        if (document.visibilityState !== 'visible') return;
        if (!joined || isDue(hasUnfinished())) resync();
      },
      joined ? MINUTE_MS : pollMs,
    );
    return () => clearInterval(timer);
  }, [online, joined, pollMs]);

  if (!online) return 'offline';
  return joined ? 'live' : 'polling';
}
