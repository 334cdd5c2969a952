'use client';

import { Paper, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { ShowMore } from '@/components/feedback/show-more';
import { useOnline } from '@/hooks/use-online';
import classes from './list-frame.module.css';

const skeletons = ['a', 'b', 'c'];

type ListFrameProps<Item> = {
  list: {
    loading: boolean;
    error: unknown;
    reload: () => void;
    /** `hasMore` and `loadMore` are absent if the list is not paginated. */
    hasMore?: boolean;
    loadMore?: () => void;
  };
  /** Null until the list has been read. */
  items: Item[] | null;
  label: string;
  empty: string;
  children: (item: Item) => ReactNode;
};

/**
 * Shows a list of rows with its empty, loading and error states. Shows no error while the browser is offline, because
 * the enclosing page or dialog reports that.
 */
export function ListFrame<Item>({ list, items, label, empty, children }: ListFrameProps<Item>) {
  const online = useOnline();
  const { error, reload } = list;
  return (
    <Stack gap="md">
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
      <ShowMore list={list} />
    </Stack>
  );
}
