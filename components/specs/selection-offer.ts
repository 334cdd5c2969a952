import { MAX_SPECS_AT_ONCE, type SpecCounts } from '@/lib/specs/schema';
import { numberOf } from './count-number';
import type { SpecListFilters } from './spec-filters';

type Matching = { counts: SpecCounts; countsAreMinimums: boolean };

/**
 * Returns the label of the button that selects all specs that match the filters, including those not shown yet. The
 * button selects at most `MAX_SPECS_AT_ONCE` specs.
 */
export function selectionOffer(filters: SpecListFilters, { counts, countsAreMinimums }: Matching): string {
  const { pending, processing, completed, failed } = counts;
  const total = filters.status ? counts[filters.status] : pending + processing + completed + failed;
  const number = numberOf(total, countsAreMinimums);
  if (total > MAX_SPECS_AT_ONCE) return `Select the first ${MAX_SPECS_AT_ONCE} of ${number} that match`;
  return `Select all ${number} that match`;
}
