import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shows the title and description of a page. `children` are the page's actions. */
export function PageHeading({
  title,
  description,
  children,
}: {
  title: string;
  description?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <Group justify="space-between" align="flex-end" gap="md" mb="xl">
      <div>
        <Title order={1}>{title}</Title>
        {description && (
          <Text c="dimmed" mt={6} maw="46rem">
            {description}
          </Text>
        )}
      </div>
      {children}
    </Group>
  );
}
