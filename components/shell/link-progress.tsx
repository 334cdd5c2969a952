'use client';

import { Portal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useLinkStatus } from 'next/link';
import { useOffline } from 'next/offline';
import { useEffect } from 'react';
import classes from './link-progress.module.css';

/** Shows that the page of the enclosing link is loading or is waiting for a connection. */
export function LinkProgress() {
  const { pending } = useLinkStatus();
  const waits = useOffline() && pending;
  useEffect(() => {
    if (!waits) return;
    const id = notifications.show({
      color: 'yellow',
      title: 'No connection',
      message: 'The page opens as soon as the connection is back.',
      autoClose: false,
      withCloseButton: false,
    });
    return () => {
      notifications.hide(id);
    };
  }, [waits]);
  if (!pending) return null;
  return (
    // Render the bar outside the link, so that it does not change the link's name or layout.
    <Portal>
      <div className={classes.bar} data-waits={waits} aria-hidden="true" />
    </Portal>
  );
}
