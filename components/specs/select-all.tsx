'use client';

import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { countOf } from '@/components/format/count';
import { noSelection, type Selection, selectAll } from '@/hooks/selection';
import { MAX_SPECS_AT_ONCE } from '@/lib/specs/schema';
import { selectionOffer } from './selection-offer';
import type { SpecListFilters } from './spec-filters';
import type { LiveSpecList } from './use-spec-list';

type SelectAllProps = {
  list: LiveSpecList;
  filters: SpecListFilters;
  selection: Selection;
  onSelect: (next: (current: Selection) => Selection) => void;
};

/**
 * Shows the checkbox that selects all shown specs. While all shown specs are selected and more specs match the filters,
 * also shows a button that loads and selects those too, up to `MAX_SPECS_AT_ONCE` specs in total.
 */
export function SelectAll({ list, filters, selection, onSelect }: SelectAllProps) {
  const [isLoading, setIsLoading] = useState(false);
  const ids = list.specs.map(({ specUploadId }) => specUploadId);
  const selected = ids.filter((id) => selection.ids.has(id)).length;
  const isAll = selected === ids.length;
  const selectMatching = async () => {
    setIsLoading(true);
    const first = await list.loadFirst(MAX_SPECS_AT_ONCE);
    setIsLoading(false);
    // If the user has changed the selection in the meantime, keep it.
    if (first) onSelect((current) => (current === selection ? selectAll(first) : current));
  };
  return (
    <>
      <Checkbox
        label={`Select all ${countOf(ids.length, 'shown', 'shown')}`}
        checked={isAll}
        indeterminate={selected > 0 && !isAll}
        onChange={({ currentTarget: { checked } }) =>
          onSelect(() => (checked ? selectAll(ids) : noSelection))
        }
      />
      {(isLoading || (isAll && list.hasMore && ids.length < MAX_SPECS_AT_ONCE)) && (
        <Button size="compact-sm" variant="subtle" loading={isLoading} onClick={() => void selectMatching()}>
          {selectionOffer(filters, list)}
        </Button>
      )}
    </>
  );
}
