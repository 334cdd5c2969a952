'use client';

import { Badge, Group, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { ShowMore } from '@/components/feedback/show-more';
import { openOnTyping } from '@/components/form/open-on-typing';
import { countOf } from '@/components/format/count';
import { usePages } from '@/hooks/use-pages';
import type { Standard } from '@/lib/specs/standards/schema';
import pickClasses from '../pickers/pick.module.css';
import { readBrands, readStandards } from './standard-calls';
import classes from './standards.module.css';

type StandardListProps = {
  projectId: string;
  /** Receives the chosen brand standard and its button. */
  onChoose: (standard: Standard, button: HTMLButtonElement) => void;
};

/** Lists the brand standards, with a search field and a brand filter. */
export function StandardList({ projectId, onChoose }: StandardListProps) {
  const [typed, setTyped] = useState('');
  const [query] = useDebouncedValue(typed.trim(), 250);
  const [brand, setBrand] = useState<string | null>(null);
  const brands = useQuery({ queryKey: ['brands'], queryFn: ({ signal }) => readBrands(signal) });
  const list = usePages({
    queryKey: ['standards', projectId, query, brand],
    read: (cursor, signal) => readStandards(projectId, { query, brand }, cursor, signal),
  });
  return (
    <Stack gap="md">
      <Group gap="sm">
        <TextInput
          className={pickClasses.words}
          type="search"
          aria-label="Search brand standards"
          placeholder="Curtains, lobby, doors …"
          leftSection={<IconSearch size={16} stroke={1.6} />}
          maxLength={200}
          value={typed}
          data-autofocus
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Select
          {...openOnTyping}
          className={pickClasses.words}
          aria-label="Brand"
          placeholder="All brands"
          data={brands.data ?? []}
          value={brand}
          onChange={setBrand}
          clearable
          limit={100}
          nothingFoundMessage="No brand matches"
        />
      </Group>
      {list.error !== null && (
        <ErrorAlert
          title="The brand standards could not be loaded"
          error={list.error}
          onRetry={() => void list.reload()}
        />
      )}
      {list.items === null && list.error === null && <Skeleton h={160} role="status" aria-label="Loading" />}
      {list.items?.length === 0 && (
        <Text c="dimmed">
          {query || brand ? 'No brand standards match.' : 'There are no brand standards yet.'}
        </Text>
      )}
      {list.items !== null && list.items.length > 0 && (
        <ul className={classes.list} aria-label="Brand standards">
          {list.items.map((standard) => (
            <li key={standard.specUploadId}>
              <button
                type="button"
                className={classes.standard}
                disabled={standard.sectionsCount === 0}
                onClick={({ currentTarget }) => onChoose(standard, currentTarget)}
              >
                <span className={classes.names}>
                  <span className={classes.file}>{standard.fileName}</span>
                  <Text span size="sm" c="dimmed">
                    {standard.brandName} · {standard.area}
                  </Text>
                </span>
                {standard.version > 1 && (
                  <Badge variant="default" tt="none" fw={500}>
                    v{standard.version}
                  </Badge>
                )}
                <Text span size="sm" c="dimmed">
                  {standard.sectionsCount === 0 ? 'No sections' : countOf(standard.sectionsCount, 'section')}
                </Text>
              </button>
            </li>
          ))}
        </ul>
      )}
      <ShowMore list={list} size="xs" />
    </Stack>
  );
}
