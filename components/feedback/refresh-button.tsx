'use client';

import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';

/** Shows a button that reads a list again. */
export function RefreshButton({ list }: { list: { loading: boolean; reload: () => void } }) {
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<IconRefresh size={16} />}
      onClick={list.reload}
      loading={list.loading}
    >
      Refresh
    </Button>
  );
}
