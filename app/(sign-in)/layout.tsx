import '../global.css';
import './sign-in.css';
import { ColorSchemeScript, mantineHtmlProps } from '@mantine/core';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { SystemColorScheme } from '@/components/sign-in/system-color-scheme';
import { fontVariables } from '../fonts';

export { siteMetadata as metadata, siteViewport as viewport } from '../site-metadata';

/**
 * A root layout for the page that people wait for most. It loads none of Mantine's components and styles, which would
 * double the page's JavaScript and CSS; `sign-in.css` has the values of the theme that the page needs.
 */
export default async function SignInLayout({ children }: { children: ReactNode }) {
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
