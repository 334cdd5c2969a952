'use client';

import { Button, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconStar, IconStarFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { readMembers } from '@/components/projects/project-calls';
import classes from './gallery.module.css';
import type { GalleryFilters } from './gallery-url';

type GalleryFilterBarProps = {
  projectId: string;
  filters: GalleryFilters;
  onChange: (filters: GalleryFilters, how: 'push' | 'replace') => void;
};

/** Shows the controls that filter images by star, person and prompt text, and that switch to the deleted images. */
export function GalleryFilterBar({ projectId, filters, onChange }: GalleryFilterBarProps) {
  const members = useQuery({
    queryKey: ['members', projectId],
    queryFn: ({ signal }) => readMembers(projectId, signal),
  });
  const [text, setText] = useState(filters.q ?? '');
  const written = useRef(filters.q ?? '');
  const writeText = useDebouncedCallback((q: string) => {
    written.current = q.trim();
    onChange({ ...filters, q: q.trim() || undefined }, 'replace');
  }, 250);

  // Update the field when the URL changes other than by typing: by back, forward or "Clear filters".
  useEffect(() => {
    if ((filters.q ?? '') === written.current) return;
    written.current = filters.q ?? '';
    setText(filters.q ?? '');
  }, [filters.q]);

  const change = (next: Partial<GalleryFilters>) => {
    writeText.cancel();
    written.current = text.trim();
    onChange({ ...filters, q: text.trim() || undefined, ...next }, 'push');
  };
  return (
    <div className={classes.filters}>
      <SegmentedControl
        aria-label="Which images"
        value={filters.deleted ? 'deleted' : 'all'}
        onChange={(value) => change({ deleted: value === 'deleted' })}
        data={[
          { value: 'all', label: 'Images' },
          { value: 'deleted', label: 'Recently deleted' },
        ]}
      />
      <TextInput
        type="search"
        aria-label="Search prompts"
        placeholder="Words of the prompt"
        className={classes.search}
        leftSection={<IconSearch size={16} />}
        value={text}
        maxLength={200}
        onChange={(event) => {
          setText(event.currentTarget.value);
          writeText(event.currentTarget.value);
        }}
      />
      <Select
        aria-label="Person"
        placeholder="Everyone"
        data={members.data?.map(({ userId, email }) => ({ value: userId, label: email })) ?? []}
        value={filters.createdBy ?? null}
        onChange={(createdBy) => change({ createdBy: createdBy ?? undefined })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Everyone' }}
        nothingFoundMessage="No member matches"
      />
      <Button
        variant={filters.starred ? 'light' : 'default'}
        leftSection={filters.starred ? <IconStarFilled size={16} /> : <IconStar size={16} stroke={1.6} />}
        aria-pressed={filters.starred}
        onClick={() => change({ starred: !filters.starred })}
      >
        Starred
      </Button>
    </div>
  );
}
