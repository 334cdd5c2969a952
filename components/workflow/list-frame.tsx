'use client';

import { Paper, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { useOnline } from '@/hooks/use-online';
import type { Polled } from '@/hooks/use-polled';
import classes from './event-list.module.css';

const skeletons = ['a', 'b', 'c'];

type ListFrameProps<Item> = {
  list: Pick<Polled<unknown>, 'error' | 'reload'>;
  /** Null until they have been read. */
  items: Item[] | null;
  label: string;
  empty: string;
  children: (item: Item) => ReactNode;
};

/** A list of rows with its empty, loading, offline and error states. */
export function ListFrame<Item>({ list, items, label, empty, children }: ListFrameProps<Item>) {
  const online = useOnline();
  const { error, reload } = list;
  return (
    <Stack gap="md">
      {!online && <OfflineBanner />}
      {online && error !== null && (
        <ErrorAlert title="The list could not be loaded" error={error} onRetry={reload} />
      )}
      {items === null && error === null && (
        <Stack gap="xs" role="status" aria-label="Loading">
          {skeletons.map((row) => (
            <Skeleton key={row} height={52} />
          ))}
        </Stack>
      )}
      {items?.length === 0 && (
        <Text c="dimmed" py="md">
          {empty}
        </Text>
      )}
      {items !== null && items.length > 0 && (
        <Paper withBorder>
          <ul className={classes.list} aria-label={label}>
            {items.map(children)}
          </ul>
        </Paper>
      )}
    </Stack>
  );
}
