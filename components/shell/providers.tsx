'use client';

import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Confirmation } from '@/components/feedback/confirmation';
import { NotificationsOnDemand } from '@/components/feedback/notifications-on-demand';
import { UploadQueueProvider } from '@/components/specs/upload-queue-provider';
import { PublicConfigContext } from '@/hooks/use-public-config';
import type { PublicConfig } from '@/lib/env/public';
import { createQueryClient } from './query-client';
import { cssVariablesResolver, theme } from './theme';

/**
 * Provides the theme, confirmation dialogs, notifications, the cache of server data, the upload queue and the public
 * configuration to the pages that use Mantine.
 */
export function Providers({ config, children }: { config: PublicConfig; children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  return (
    <PublicConfigContext value={config}>
      <QueryClientProvider client={queryClient}>
        <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
          <NotificationsOnDemand />
          {/* Mounted above the pages, so that uploads continue during navigation. */}
          <UploadQueueProvider>{children}</UploadQueueProvider>
          <Confirmation />
        </MantineProvider>
      </QueryClientProvider>
    </PublicConfigContext>
  );
}
