'use client';

import { Button, Group, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { Pages } from '@/hooks/use-pages';

/** Shows a button that refreshes a list. If the list also refreshes automatically, shows how often it does. */
export function RefreshButton({ list }: { list: Pick<Pages<unknown>, 'loading' | 'reload' | 'pollMs'> }) {
  return (
    <Group gap="sm" wrap="nowrap">
      {list.pollMs && (
        <Text size="sm" c="dimmed">
          Updates every {list.pollMs / 1000} seconds
        </Text>
      )}
      <Button
        variant="default"
        size="sm"
        leftSection={<IconRefresh size={16} />}
        onClick={list.reload}
        loading={list.loading}
      >
        Refresh
      </Button>
    </Group>
  );
}
