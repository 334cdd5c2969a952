'use client';

import { Button, Stack, Text, Title } from '@mantine/core';
import { applyFilters } from './spec-filter-bar';
import type { SpecListFilters } from './spec-filters';
import { statusLabel } from './status-badge';

/** Returns a phrase for each filter that is set, except `versions`. */
function named({ q, status, brand, area, from, to }: SpecListFilters): string[] {
  return [
    q && `the search “${q}”`,
    status && `the status ${statusLabel(status)}`,
    brand && `the brand ${brand}`,
    area && `the area ${area}`,
    from && `uploads from ${from}`,
    to && `uploads until ${to}`,
  ].filter((name) => name !== undefined);
}

/** Tells the user that no spec matches the filters, or that there are no specs yet. */
export function SpecListEmpty({ filters }: { filters: SpecListFilters }) {
  const names = named(filters);
  const filtered = names.length > 0;
  return (
    <Stack align="center" gap="xs" py="4rem" ta="center">
      <Title order={2}>{filtered ? 'No specs match' : 'No specs yet'}</Title>
      <Text c="dimmed" maw="28rem" style={{ overflowWrap: 'anywhere' }}>
        {filtered
          ? `No spec matches ${new Intl.ListFormat('en').format(names)}.`
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
