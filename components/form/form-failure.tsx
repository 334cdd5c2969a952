'use client';

import { Text } from '@mantine/core';

/** Shows why a form could not be submitted, and announces it. */
export function FormFailure({ text }: { text: string | null | undefined }) {
  return (
    text && (
      <Text size="sm" c="red" role="alert">
        {text}
      </Text>
    )
  );
}
