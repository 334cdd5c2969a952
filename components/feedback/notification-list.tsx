'use client';

import { Notifications } from '@mantine/notifications';

/** Shows the current notifications in a corner of the window. */
export function NotificationList() {
  return <Notifications position="bottom-right" limit={4} />;
}
