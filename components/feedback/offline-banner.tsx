'use client';

import { Alert } from '@mantine/core';
import { IconWifiOff } from '@tabler/icons-react';

/** Shown above data that may be out of date because the browser is offline. */
export function OfflineBanner() {
  return (
    <Alert
      color="yellow"
      variant="outline"
      icon={<IconWifiOff size={20} />}
      title="You are offline"
      role="status"
    >
      This is the last known state. It updates when you are back online.
    </Alert>
  );
}
