import { expect, test } from 'vitest';
import { selectionOffer } from '@/components/specs/selection-offer';
import type { SpecListFilters } from '@/components/specs/spec-filters';

const counts = { pending: 1, processing: 2, completed: 500, failed: 30 };
const exact = { counts, countsAreMinimums: false };
const capped = { counts: { ...counts, completed: 1000 }, countsAreMinimums: true };

test.each<[string, SpecListFilters, typeof exact, string]>([
  ['30 failed specs', { status: 'failed' }, exact, 'Select all 30 that match'],
  ['as many specs as one action can change', { status: 'completed' }, exact, 'Select all 500 that match'],
  ['more specs', {}, exact, 'Select the first 500 of 533 that match'],
  ['more specs than are counted', { q: 'oak' }, capped, 'Select the first 500 of 1,000+ that match'],
  ['30 of more specs than are counted', { q: 'oak', status: 'failed' }, capped, 'Select all 30 that match'],
])('the offer to select %s says how many are selected', (_name, filters, matching, label) => {
  expect(selectionOffer(filters, matching)).toBe(label);
});
