import '@mantine/core/styles.css';
import '@mantine/dropzone/styles.css';
import '@mantine/notifications/styles.css';
import '../global.css';
import { ColorSchemeScript, mantineHtmlProps } from '@mantine/core';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { Providers } from '@/components/shell/providers';
import { publicConfig } from '@/lib/env/server';
import { fontVariables } from '../fonts';

export { siteMetadata as metadata, siteViewport as viewport } from '../site-metadata';

export default async function AppLayout({ children }: { children: ReactNode }) {
  // Reading the headers makes every page dynamic, so pages use the runtime settings instead of the build-time settings.
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    <html lang="en" className={fontVariables} {...mantineHtmlProps}>
      <head>
        {/* Browsers hide nonces from scripts, so React would report a mismatch with the server's HTML. */}
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} suppressHydrationWarning />
      </head>
      <body>
        <Providers config={publicConfig()}>{children}</Providers>
      </body>
    </html>
  );
}
