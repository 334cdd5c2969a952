'use client';

import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { countOf } from '@/components/format/count';
import { isPageRange, missingPage, pagesInRange } from '@/lib/document/page-range';

type Which = 'all' | 'current' | 'range';

/** Returns what is wrong with the text of a page range, or null. */
export function pageRangeError(range: string | null, count: number): string | null {
  if (range === null) return null;
  if (!isPageRange(range)) return 'Enter page numbers like 1-3, 5, 8-.';
  if (range.length > 200) return 'Enter at most 200 characters.';
  return missingPage(range, count) === null ? null : `The document has only ${countOf(count, 'page')}.`;
}

type PageChoiceProps = {
  /** The page range, which may be invalid, or null for all pages. */
  value: string | null;
  onChange: (range: string | null) => void;
  count: number;
  /** The number of the open page, from 1; null if another sheet is open. */
  current: number | null;
  /** The number of sheets before the first page. */
  front: number;
};

/** Selects the pages to export: all, the open page, or a range. */
export function PageChoice({ value, onChange, count, current, front }: PageChoiceProps) {
  const [which, setWhich] = useState<Which>('all');
  const label = useId();
  const error = pageRangeError(value, count);
  const choose = (next: Which) => {
    setWhich(next);
    if (next === 'all') onChange(null);
    else onChange(next === 'current' ? String(current) : `1-${count}`);
  };
  return (
    <Stack gap="xs">
      <Text id={label} size="sm" fw={500}>
        Pages
      </Text>
      <SegmentedControl
        aria-labelledby={label}
        value={which}
        onChange={choose}
        data={[
          { value: 'all', label: 'All' },
          { value: 'current', label: 'This page', disabled: current === null },
          { value: 'range', label: 'Range' },
        ]}
      />
      {which === 'range' && (
        <TextInput
          aria-label="Page range"
          description={
            front > 0 &&
            `Do not count the cover and contents: enter 1 for the page with the number ${front + 1}.`
          }
          value={value ?? ''}
          onChange={(event) => onChange(event.currentTarget.value)}
          error={error}
        />
      )}
      {which !== 'all' && error === null && (
        <Text size="sm" c="dimmed">
          {countOf(pagesInRange(value, count).size, 'page')} of {count}. The contents list only these pages,
          and all pages keep their numbers.
        </Text>
      )}
    </Stack>
  );
}
