import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shows a page with only a message: not found, forbidden or failed. `children` are the actions below the message. */
export function MessagePage({
  title,
  text,
  children,
}: {
  title: string;
  text: ReactNode;
  children?: ReactNode;
}) {
  return (
    <Stack align="flex-start" gap="md" maw="34rem" mx="auto" py={{ base: 'xl', sm: '4rem' }}>
      <Title order={1}>{title}</Title>
      <Text c="dimmed" size="lg">
        {text}
      </Text>
      {children}
    </Stack>
  );
}
