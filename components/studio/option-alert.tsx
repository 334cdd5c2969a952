import { Text } from '@mantine/core';
import type { DraftErrors } from './job-draft';

/** The errors of materials and options, whose fields are closed. */
export function OptionAlert({ errors: { materials, size, count, seed, safety } }: { errors: DraftErrors }) {
  const messages = [materials, size, count, seed, safety].filter(Boolean);
  if (messages.length === 0) return null;
  return (
    <Text size="sm" c="red" role="alert">
      {messages.join(' ')}
    </Text>
  );
}
