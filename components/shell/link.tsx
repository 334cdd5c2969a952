'use client';

import NextLink from 'next/link';
import type { ComponentProps } from 'react';
import { LinkProgress } from './link-progress';

/**
 * Renders a link within the app. Shows a bar while the linked page is loading, and a notification if the page has to
 * wait for a connection.
 */
export function Link({ children, ...props }: ComponentProps<typeof NextLink>) {
  return (
    <NextLink {...props}>
      {children}
      <LinkProgress />
    </NextLink>
  );
}
