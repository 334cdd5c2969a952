'use client';

import { Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { type AssetType, assetType, searchSort, searchSorts } from '@/lib/matlib/schema';
import classes from './material-browser.module.css';
import { sortLabels, typeLabels, typeOrder } from './material-labels';
import type { MaterialUrl } from './material-url';

type MaterialToolbarProps = {
  url: MaterialUrl;
  /** The number of matches per type, without types whose count is unknown. */
  counts: Partial<Record<AssetType, number>>;
  onChange: (change: Partial<MaterialUrl>) => void;
  filters: { id: string; opened: boolean; toggle: () => void };
};

function TypeLabel({ type, count }: { type: AssetType; count: number | undefined }) {
  return (
    <>
      {typeLabels[type]}
      {count !== undefined && <span className={classes.matches}> {count.toLocaleString('en')}</span>}
    </>
  );
}

/** Shows the controls for type and sort order and, on a narrow screen, the button that shows the filters. */
export function MaterialToolbar({ url, counts, onChange, filters }: MaterialToolbarProps) {
  const { q, type, categories, color, sort } = url;
  const usual = q === '' ? 'downloads' : 'relevance';
  // Sorting by relevance needs a query.
  const sorts = searchSorts.filter((name) => name !== 'relevance' || q !== '');
  const active = categories.length + (color ? 1 : 0);
  return (
    <div className={classes.kinds}>
      <SegmentedControl
        aria-label="Type"
        className={classes.types}
        value={type}
        // Clear the categories, because each type has its own.
        onChange={(value) => onChange({ type: assetType.parse(value), categories: [] })}
        data={typeOrder.map((value) => ({ value, label: <TypeLabel type={value} count={counts[value]} /> }))}
      />
      <NativeSelect
        aria-label="Sort by"
        className={classes.order}
        data={sorts.map((value) => ({ value, label: sortLabels[value] }))}
        value={sort && sorts.includes(sort) ? sort : usual}
        onChange={({ currentTarget }) => {
          const chosen = searchSort.parse(currentTarget.value);
          onChange({ sort: chosen === usual ? null : chosen });
        }}
      />
      <Button
        variant="default"
        className={classes.toggle}
        leftSection={<IconAdjustmentsHorizontal size={16} />}
        aria-expanded={filters.opened}
        aria-controls={filters.id}
        onClick={filters.toggle}
      >
        {active > 0 ? `Filters (${active})` : 'Filters'}
      </Button>
    </div>
  );
}
