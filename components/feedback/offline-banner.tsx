'use client';

import { Alert } from '@mantine/core';
import { IconWifiOff } from '@tabler/icons-react';

/** Over a page that shows what was last read. */
export function OfflineBanner() {
  return (
    <Alert
      color="yellow"
      variant="outline"
      icon={<IconWifiOff size={20} />}
      title="You are offline"
      role="status"
    >
      This is what was last read. It is brought up to date as soon as the connection is back.
    </Alert>
  );
}
