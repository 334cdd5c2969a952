'use client';

import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch, IconStar, IconStarFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SelectFilter } from '@/components/form/select-filter';
import { DayField } from '@/components/format/day-field';
import { useSearchText } from '@/components/format/use-search-text';
import { readMembers } from '@/components/projects/project-calls';
import type { GalleryMaterial } from '@/lib/image-gen/schema';
import type { Member } from '@/lib/projects/schema';
import classes from './gallery.module.css';
import { readGalleryMaterials } from './gallery-calls';
import { type GalleryFilters, lastDays, timeChoice } from './gallery-url';

/** Returns the options of the material filter, which always include the chosen one. Adds the id to ambiguous names. */
function materialChoices(materials: GalleryMaterial[], chosen: string | undefined) {
  const isListed = chosen === undefined || materials.some(({ id }) => id === chosen);
  const all = isListed ? materials : [...materials, { id: chosen, name: chosen }];
  const count = new Map<string, number>();
  for (const { name } of all) count.set(name, (count.get(name) ?? 0) + 1);
  return all.map(({ id, name }) => ({
    value: id,
    label: (count.get(name) ?? 0) > 1 && name !== id ? `${name} (${id})` : name,
  }));
}

/** Returns the options of the person filter, which always include the chosen one. */
function personChoices(members: Member[] | undefined, chosen: string | undefined) {
  const all = members?.map(({ userId, email }) => ({ value: userId, label: email })) ?? [];
  if (chosen === undefined || all.some(({ value }) => value === chosen)) return all;
  return [...all, { value: chosen, label: members ? 'Former member' : 'Loading…' }];
}

type GalleryFilterBarProps = {
  projectId: string;
  filters: GalleryFilters;
  onChange: (filters: GalleryFilters, how: 'push' | 'replace') => void;
};

/**
 * Shows the controls that filter images by star, person, time, material and prompt, and the switch to deleted images.
 */
export function GalleryFilterBar({ projectId, filters, onChange }: GalleryFilterBarProps) {
  const members = useQuery({
    queryKey: ['members', projectId],
    queryFn: ({ signal }) => readMembers(projectId, signal),
  });
  const materials = useQuery({
    queryKey: ['gallery-materials', projectId],
    queryFn: ({ signal }) => readGalleryMaterials(projectId, signal),
  });
  const [opensDays, setOpensDays] = useState(false);
  const time = timeChoice(filters, opensDays);
  const search = useSearchText(filters.q ?? '', (q) =>
    onChange({ ...filters, q: q || undefined }, 'replace'),
  );
  const change = (next: Partial<GalleryFilters>) =>
    onChange({ ...filters, q: search.take() || undefined, ...next }, 'push');
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
        value={search.text}
        maxLength={200}
        onChange={(event) => search.type(event.currentTarget.value)}
      />
      <SelectFilter
        label="Person"
        all="Everyone"
        nothing="No member matches"
        options={personChoices(members.data, filters.createdBy)}
        value={filters.createdBy}
        onChange={(createdBy) => change({ createdBy })}
      />
      <SelectFilter
        label="Material"
        all="Any material"
        nothing="No material matches"
        options={materialChoices(materials.data ?? [], filters.material)}
        value={filters.material}
        onChange={(material) => change({ material })}
      />
      <NativeSelect
        aria-label="Time"
        data={[
          { value: 'any', label: 'Any time' },
          ...lastDays.map(({ days, label }) => ({ value: String(days), label })),
          { value: 'days', label: 'From … to …' },
        ]}
        value={time}
        onChange={({ currentTarget: { value } }) => {
          setOpensDays(value === 'days');
          const last = lastDays.find(({ days }) => String(days) === value)?.days;
          if (value !== 'days') change({ last, from: undefined, to: undefined });
          else change({ last: undefined });
        }}
      />
      {time === 'days' && (
        <>
          <DayField label="From (UTC)" day={filters.from} onChange={(from) => change({ from })} />
          <DayField label="To (UTC)" day={filters.to} onChange={(to) => change({ to })} />
        </>
      )}
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
