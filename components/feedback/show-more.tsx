'use client';

import { Button, type ButtonProps, Group } from '@mantine/core';

type ShowMoreProps = {
  list: { loading: boolean; hasMore?: boolean; loadMore?: () => void };
} & Pick<ButtonProps, 'size' | 'mt'>;

/** Shows the button that loads the next page of a list, or nothing if the list is complete. */
export function ShowMore({ list, size, mt }: ShowMoreProps) {
  if (!list.hasMore) return null;
  return (
    <Group justify="center" mt={mt}>
      <Button variant="default" size={size} loading={list.loading} onClick={() => list.loadMore?.()}>
        Show more
      </Button>
    </Group>
  );
}
