import { ColorSchemeScript, mantineHtmlProps } from '@mantine/core';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { fontVariables } from './fonts';

/** Renders the HTML document around a page, with its fonts and color scheme. */
export async function HtmlDocument({ children }: { children: ReactNode }) {
  // Reading the headers makes every page dynamic, so pages use the runtime settings instead of the build-time settings.
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    <html lang="en" className={fontVariables} {...mantineHtmlProps}>
      <head>
        {/* Browsers hide nonces from scripts. Without `suppressHydrationWarning`, React would report a mismatch with the
            server's HTML. */}
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} suppressHydrationWarning />
      </head>
      <body>{children}</body>
    </html>
  );
}
