'use client';

import NextLink from 'next/link';
import type { ComponentProps } from 'react';
import { LinkProgress } from './link-progress';

/** A link within the app. While its page loads, a bar shows it; without a connection, a notification. */
export function Link({ children, ...props }: ComponentProps<typeof NextLink>) {
  return (
    <NextLink {...props}>
      {children}
      <LinkProgress />
    </NextLink>
  );
}
