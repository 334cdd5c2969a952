import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A page that has only something to say: not found, not allowed, broken. `children` are the ways on. */
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
