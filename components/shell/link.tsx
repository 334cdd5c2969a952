'use client';

import NextLink from 'next/link';
import type { ComponentProps } from 'react';
import { LinkProgress } from './link-progress';

/**
 * Renders a link within the app. A bar shows that the linked page is loading; a notification, that there is no
 * connection.
 */
export function Link({ children, ...props }: ComponentProps<typeof NextLink>) {
  return (
    <NextLink {...props}>
      {children}
      <LinkProgress />
    </NextLink>
  );
}
