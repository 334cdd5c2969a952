'use client';

import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';

const UNDO_MS = 15_000;

/** Shows a notification about something that was done, with a button that undoes it. */
export function offerUndo(done: string, undo: () => void): void {
  const id = notifications.show({
    autoClose: UNDO_MS,
    message: (
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <span>{done}</span>
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}
