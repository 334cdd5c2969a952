import './global.css';
import './plain-document.css';
import { ColorSchemeScript, mantineHtmlProps } from '@mantine/core';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { SystemColorScheme } from '@/components/shell/system-color-scheme';
import { fontVariables } from './fonts';

/**
 * Renders the HTML document of a page that loads none of Mantine's components and styles. The page follows the color
 * scheme that the user chose on other pages, or else the system's. `plain-document.css` has the values of the theme that
 * such pages need.
 */
export async function PlainDocument({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    <html lang="en" className={fontVariables} {...mantineHtmlProps}>
      <head>
        {/* Browsers hide nonces from scripts, so React would report a mismatch with the server's HTML. */}
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} suppressHydrationWarning />
      </head>
      <body>
        <SystemColorScheme />
        {children}
      </body>
    </html>
  );
}
