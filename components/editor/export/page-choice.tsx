'use client';

import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { countOf } from '@/components/format/count';
import {
  hasPartBefore,
  isPageRange,
  missingPage,
  pagesInRange,
  shiftedRange,
} from '@/lib/document/page-range';

type Which = 'all' | 'current' | 'range';

/**
 * Converts a valid range from the editor's page numbers to those of the API. The editor's numbers also count the
 * `front` sheets before the first page. The API's numbers count only the pages.
 */
export function rangeToSend(range: string | null, front: number): string | null {
  return range === null ? null : shiftedRange(range, -front);
}

/**
 * Returns the error message for a range in the page numbers that the editor shows, or null if the range is valid. Each
 * comma-separated part must include a page. A part such as `1-5` may also include sheets before the first page.
 */
export function pageRangeError(range: string | null, count: number, front: number): string | null {
  if (range === null) return null;
  if (!isPageRange(range)) return 'Enter page numbers like 1-3, 5, 8-.';
  if (range.length > 200) return 'Enter at most 200 characters.';
  if (hasPartBefore(range, front + 1)) return `The first page has the number ${front + 1}.`;
  const last = front + count;
  return missingPage(range, last) === null ? null : `The last page has the number ${last}.`;
}

type PageChoiceProps = {
  /** The range, in the page numbers that the editor shows. May be invalid; null for all pages. */
  value: string | null;
  onChange: (range: string | null) => void;
  count: number;
  /** The number that the editor shows for the open page; null if another sheet is open. */
  current: number | null;
  /** The number of sheets before the first page in the editor. */
  front: number;
  /**
   * The number of sheets before the first page in the PDF. Can differ from `front`, because the export has its own
   * paper, cover and contents options.
   */
  pdfFront: number;
};

/** Lets the user choose the pages to export: all, the open page, or a range. */
export function PageChoice({ value, onChange, count, current, front, pdfFront }: PageChoiceProps) {
  const [which, setWhich] = useState<Which>('all');
  const label = useId();
  const error = pageRangeError(value, count, front);
  const choose = (next: Which) => {
    setWhich(next);
    if (next === 'all') onChange(null);
    else onChange(next === 'current' ? String(current) : `${front + 1}-${front + count}`);
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
            front !== pdfFront &&
            `Enter the numbers shown in the editor. Page ${front + 1} will be page ${pdfFront + 1} in this PDF.`
          }
          value={value ?? ''}
          onChange={(event) => onChange(event.currentTarget.value)}
          error={error}
        />
      )}
      {which !== 'all' && error === null && (
        <Text size="sm" c="dimmed">
          {countOf(pagesInRange(rangeToSend(value, front), count).size, 'page')} of {count}. The contents list
          only these pages{front === pdfFront && ', and all pages keep their numbers'}.
        </Text>
      )}
    </Stack>
  );
}
