import { expect, test } from 'vitest';
import { selectionOffer } from '@/components/specs/selection-offer';
import type { SpecListFilters } from '@/components/specs/spec-filters';

const counts = { pending: 1, processing: 2, completed: 500, failed: 30 };

test.each<[string, SpecListFilters, boolean, string]>([
  ['30 failed specs', { status: 'failed' }, false, 'Select all 30 that match'],
  ['as many specs as one action can change', { status: 'completed' }, false, 'Select all 500 that match'],
  ['more specs', {}, false, 'Select the first 500 of 533 that match'],
  ['at least 533 specs', { q: 'oak' }, true, 'Select the first 500 of 533+ that match'],
  ['at least 30 specs', { q: 'oak', status: 'failed' }, true, 'Select up to 500 that match'],
])('the offer to select %s says how many are selected', (_name, filters, countsAreMinimums, label) => {
  expect(selectionOffer(filters, { counts, countsAreMinimums })).toBe(label);
});
