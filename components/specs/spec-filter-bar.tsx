'use client';

import { Button, Checkbox, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { SelectFilter } from '@/components/form/select-filter';
import { DayField } from '@/components/format/day-field';
import { useSearchText } from '@/components/format/use-search-text';
import {
  type SpecCounts,
  type SpecSort,
  type SpecStatus,
  specSort,
  specSorts,
  specStatus,
  specStatuses,
} from '@/lib/specs/schema';
import { numberOf } from './count-number';
import { defaultSort, filtersQuery, type SpecListFilters } from './spec-filters';
import classes from './spec-list.module.css';
import { statusLabel } from './status-badge';

/** Writes the filters to the URL, as a new history entry or in place of the current one. */
export function applyFilters(filters: SpecListFilters, how: 'push' | 'replace'): void {
  const query = filtersQuery(filters);
  const url = `${window.location.pathname}${query ? `?${query}` : ''}`;
  if (how === 'push') window.history.pushState(null, '', url);
  else window.history.replaceState(null, '', url);
}

function Counted({ label, count }: { label: string; count: string }) {
  return (
    <span className={classes.counted}>
      {label} <span className={classes.count}>{count}</span>
    </span>
  );
}

const sortLabels: Record<SpecSort, string> = {
  match: 'Best match',
  newest: 'Newest first',
  oldest: 'Oldest first',
  file: 'File name',
  brand: 'Brand',
  status: 'Status',
};

const asOption = (name: string) => ({ value: name, label: name });

type SpecFilterBarProps = {
  filters: SpecListFilters;
  counts: SpecCounts;
  countsAreMinimums: boolean;
  brands: string[];
  areas: string[];
};

/** Shows the controls for the list's filters (status, brand, area, text, upload day and version) and sort order. */
export function SpecFilterBar({ filters, counts, countsAreMinimums, brands, areas }: SpecFilterBarProps) {
  const search = useSearchText(filters.q ?? '', (q) =>
    applyFilters({ ...filters, q: q || undefined }, 'replace'),
  );
  const [isOpen, setIsOpen] = useState(false);
  const all = specStatuses.reduce((sum, status) => sum + counts[status], 0);
  const shown = (count: number) => numberOf(count, countsAreMinimums);
  const { brand, area, from, to, sort, versions } = filters;
  const hidden = [brand, area, from, to, sort, versions].filter((value) => value !== undefined).length;
  const sorts = specSorts.filter((sort) => sort !== 'match' || filters.q !== undefined);
  const setFilters = (change: Partial<SpecListFilters>) =>
    applyFilters({ ...filters, q: search.take() || undefined, ...change }, 'push');
  return (
    <div className={classes.filters} data-open={isOpen}>
      <SegmentedControl
        aria-label="Status"
        className={classes.tabs}
        value={filters.status ?? 'all'}
        onChange={(value) => setFilters({ status: specStatus.safeParse(value).data })}
        data={[
          { value: 'all', label: <Counted label="All" count={shown(all)} /> },
          ...specStatuses.map((status: SpecStatus) => ({
            value: status,
            label: <Counted label={statusLabel(status)} count={shown(counts[status])} />,
          })),
        ]}
      />
      <div className={classes.fields}>
        <TextInput
          type="search"
          aria-label="Search names, errors and the text of PDFs"
          placeholder="Search names and text"
          leftSection={<IconSearch size={16} />}
          value={search.text}
          maxLength={200}
          onChange={(event) => search.type(event.currentTarget.value)}
        />
        <Button
          className={classes.toggle}
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={16} />}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          Filters and order{hidden > 0 && ` (${hidden})`}
        </Button>
        <SelectFilter
          className={classes.folded}
          label="Brand"
          all="All brands"
          nothing="No brand matches"
          options={brands.map(asOption)}
          value={brand}
          onChange={(brand) => setFilters({ brand })}
        />
        <SelectFilter
          className={classes.folded}
          label="Area"
          all="All areas"
          nothing="No area matches"
          options={areas.map(asOption)}
          value={area}
          onChange={(area) => setFilters({ area })}
        />
      </div>
      <div className={`${classes.order} ${classes.folded}`}>
        <DayField label="Uploaded from (UTC)" day={filters.from} onChange={(from) => setFilters({ from })} />
        <DayField label="Uploaded until (UTC)" day={filters.to} onChange={(to) => setFilters({ to })} />
        <NativeSelect
          label="Sort by"
          data={sorts.map((value) => ({ value, label: sortLabels[value] }))}
          value={filters.sort ?? defaultSort(filters)}
          onChange={({ currentTarget }) => {
            const sort = specSort.parse(currentTarget.value);
            setFilters({ sort: sort === defaultSort(filters) ? undefined : sort });
          }}
        />
        <Checkbox
          label="All versions"
          className={classes.versions}
          checked={filters.versions === 'all'}
          onChange={({ currentTarget }) =>
            setFilters({ versions: currentTarget.checked ? 'all' : undefined })
          }
        />
      </div>
    </div>
  );
}
