'use client';

import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Link } from '@/components/shell/link';

/** Shows a notification that content was added to a document, with a link to the page that contains it. */
export function notifyAdded(title: string, href: string, isSaved: boolean): void {
  notifications.show({
    color: isSaved ? 'green' : 'yellow',
    autoClose: 12_000,
    title,
    message: (
      <Anchor component={Link} href={href} size="sm">
        Open the page
      </Anchor>
    ),
  });
}
