'use client';

import { Button, Stack, Text, Title } from '@mantine/core';
import { applyFilters } from './spec-filter-bar';
import { isFiltered, type SpecFilters } from './spec-filters';

/** Shows the empty state of the list: no match for the filters, or no specs at all. */
export function SpecListEmpty({ filters }: { filters: SpecFilters }) {
  const filtered = isFiltered(filters);
  return (
    <Stack align="center" gap="xs" py="4rem" ta="center">
      <Title order={2}>{filtered ? 'No specs match' : 'No specs yet'}</Title>
      <Text c="dimmed" maw="28rem">
        {filtered
          ? 'Try other filters or another search.'
          : 'Upload your first PDF. You can follow its progress here.'}
      </Text>
      {filtered && (
        <Button variant="default" mt="sm" onClick={() => applyFilters({ sort: filters.sort }, 'push')}>
          Clear filters
        </Button>
      )}
    </Stack>
  );
}
