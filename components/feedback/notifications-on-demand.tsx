'use client';

import { notificationsStore } from '@mantine/notifications';
import { type ComponentType, useEffect, useState } from 'react';
import { whenUsed } from './on-demand';

/**
 * Shows notifications. Their code is loaded when the page is first used or the first notification is added. Until then,
 * notifications wait in the store.
 */
export function NotificationsOnDemand() {
  const [Loaded, setLoaded] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (Loaded) return;
    const load = () =>
      void import('./notification-list').then(
        ({ NotificationList }) => setLoaded(() => NotificationList),
        // Ignore a failed load, because the next notification loads the code again.
        () => undefined,
      );
    const cancel = whenUsed(load);
    const unsubscribe = notificationsStore.subscribe(load);
    if (notificationsStore.getState().notifications.length > 0) load();
    return () => {
      cancel();
      unsubscribe();
    };
  }, [Loaded]);
  return Loaded && <Loaded />;
}
