'use client';

import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useEffectEvent, useState } from 'react';
import { loadBrowserClient } from './load-browser-client';
import { listenToTopic } from './realtime-topics';
import { createResyncSchedule } from './resync-schedule';
import { untilLoaded } from './until-loaded';
import { useOnline } from './use-online';
import { usePublicConfig } from './use-public-config';

/** How updates arrive: by broadcast, by polling, or not at all. */
export type LiveState = 'live' | 'polling' | 'offline';

type RealtimeTopic = {
  topic: string;
  event: string;
  /** Called with the raw payload, which `onEvent` must validate itself. */
  onEvent: (payload: unknown) => void;
  /** Reads everything again. Broadcasts are never replayed, so this is the only way to find missed changes. */
  onResync: () => void;
  /**
   * Whether anything shown is still in progress. If so, resyncs run more often, in case the broadcast of a change is
   * lost.
   */
  isUnfinished: () => boolean;
  /** Milliseconds between resyncs while the topic is not joined. */
  pollMs?: number;
};

/**
 * Milliseconds between two checks of whether a resync is due while a topic is joined. Even a joined topic needs
 * resyncs, because hosted Supabase silently drops broadcasts beyond its rate limit.
 */
const MINUTE_MS = 60_000;

/**
 * Follows one event of a private broadcast topic. `onResync` is called after each join, when the tab becomes visible,
 * and when the network comes back. While the tab is visible and online, `onResync` is also called at regular intervals.
 * The interval is `pollMs` while the topic is not joined. While the topic is joined, the interval is one minute if
 * something is unfinished, and five minutes otherwise.
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
    let stop: (() => void) | undefined;
    // Until the library is loaded, the page polls.
    const cancel = untilLoaded(
      () => loadBrowserClient(config),
      (client) => {
        ({ stop } = listenToTopic(client, topic, {
          event,
          onEvent: (payload) => handleEvent(payload),
          onJoined: (now) => {
            setJoined(now);
            if (now) resync();
          },
        }));
      },
    );
    return () => {
      cancel();
      stop?.();
      // Otherwise, the next topic would count as joined before it is.
      setJoined(false);
    };
  }, [config, topic, event]);

  // `visibilitychange` bubbles from the document to the window.
  useWindowEvent('visibilitychange', () => {
    if (document.visibilityState === 'visible') onResync();
  });
  useWindowEvent('online', () => onResync());

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
