'use client';

import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { UploadQueueProvider } from '@/components/specs/upload-queue-provider';
import { PublicConfigContext } from '@/hooks/use-public-config';
import type { PublicConfig } from '@/lib/env/public';
import { cssVariablesResolver, theme } from './theme';

/** What every page stands in: the look, dialogs, notices and the public settings. */
export function Providers({ config, children }: { config: PublicConfig; children: ReactNode }) {
  return (
    <PublicConfigContext value={config}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
        <Notifications position="bottom-right" limit={4} />
        <ModalsProvider>
          {/* Up here, so that uploads go on wherever in the house one goes meanwhile. */}
          <UploadQueueProvider>{children}</UploadQueueProvider>
        </ModalsProvider>
      </MantineProvider>
    </PublicConfigContext>
  );
}
