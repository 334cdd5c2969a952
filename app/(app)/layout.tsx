import '@mantine/core/styles.css';
import '@mantine/dropzone/styles.css';
import '@mantine/notifications/styles.css';
import '../global.css';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { Providers } from '@/components/shell/providers';
import { publicConfig } from '@/lib/env/server';
import { HtmlDocument } from '../html-document';

export { siteMetadata as metadata, siteViewport as viewport } from '../site-metadata';

export default async function AppLayout({ children }: { children: ReactNode }) {
  // Pages need the settings of the running process, so no page may be rendered at build time. Reading the headers makes
  // every page dynamic.
  await headers();
  return (
    <HtmlDocument>
      <Providers config={publicConfig()}>{children}</Providers>
    </HtmlDocument>
  );
}
