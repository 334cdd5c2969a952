'use client';

import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';

const offers = new Set<string>();

/**
 * Hides all "Undo" notifications. Called when the user leaves the document, because a later undo would not be saved.
 */
export function withdrawOffers(): void {
  for (const notice of offers) notifications.hide(notice);
  offers.clear();
}

/**
 * Shows a notification with a button that restores what was deleted, even after other changes. If a notification with
 * the id `notice` is already shown, the new one replaces it.
 */
export function offerRestore(notice: string, deleted: string, restore: () => void): void {
  notifications.hide(notice);
  offers.add(notice);
  notifications.show({
    id: notice,
    onClose: () => offers.delete(notice),
    autoClose: 12_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{deleted}</Text>
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            notifications.hide(notice);
            restore();
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}
