'use client';

import { notificationsStore } from '@mantine/notifications';
import { type ComponentType, useEffect, useState } from 'react';
import { whenUsed } from './on-demand';

/**
 * Shows notifications. The code is loaded when the page is first used or the first notification is shown, which waits
 * in the store until then.
 */
export function NotificationsOnDemand() {
  const [Loaded, setLoaded] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (Loaded) return;
    const load = () =>
      void import('./notification-list').then(
        ({ NotificationList }) => setLoaded(() => NotificationList),
        // The next notification loads the code again.
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
