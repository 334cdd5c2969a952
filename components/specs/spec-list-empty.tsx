'use client';

import { Button, Stack, Text, Title } from '@mantine/core';
import { applyFilters } from './spec-filter-bar';
import { isFiltered, type SpecFilters } from './spec-filters';

/** Nothing to show: because nothing matches, or because there is nothing yet. */
export function SpecListEmpty({ filters }: { filters: SpecFilters }) {
  const filtered = isFiltered(filters);
  return (
    <Stack align="center" gap="xs" py="4rem" ta="center">
      <Title order={2}>{filtered ? 'Nothing matches' : 'No specs yet'}</Title>
      <Text c="dimmed" maw="28rem">
        {filtered
          ? 'No spec fits all of the chosen filters.'
          : 'Drop the first PDF above. It shows up here at once, and its state follows as it is processed.'}
      </Text>
      {filtered && (
        <Button variant="default" mt="sm" onClick={() => applyFilters({}, 'push')}>
          Clear the filters
        </Button>
      )}
    </Stack>
  );
}
