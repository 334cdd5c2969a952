'use client';

import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { UploadQueueProvider } from '@/components/specs/upload-queue-provider';
import { PublicConfigContext } from '@/hooks/use-public-config';
import type { PublicConfig } from '@/lib/env/public';
import { cssVariablesResolver, theme } from './theme';

/** The providers around every page: theme, dialogs, notifications, upload queue and public configuration. */
export function Providers({ config, children }: { config: PublicConfig; children: ReactNode }) {
  return (
    <PublicConfigContext value={config}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
        <Notifications position="bottom-right" limit={4} />
        <ModalsProvider>
          {/* Above the pages, so that uploads continue during navigation. */}
          <UploadQueueProvider>{children}</UploadQueueProvider>
        </ModalsProvider>
      </MantineProvider>
    </PublicConfigContext>
  );
}
