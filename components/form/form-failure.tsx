'use client';

import { Text } from '@mantine/core';

/** Shows the error message of a form or field, and announces it to screen readers. */
export function FormFailure({ text }: { text: string | null | undefined }) {
  return (
    text && (
      <Text size="sm" c="red" role="alert">
        {text}
      </Text>
    )
  );
}
