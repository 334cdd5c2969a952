import { Group, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';

/** Tells people with view-only access what they can do. This is not an alert, because nothing is wrong. */
export function ViewOnlyLine() {
  return (
    <Group gap={6} wrap="nowrap" c="dimmed">
      <IconEye size={16} stroke={1.6} aria-hidden="true" style={{ flex: 'none' }} />
      <Text size="sm">View only: you can open, compare and download the images.</Text>
    </Group>
  );
}
