'use client';

import { readEvents } from '@/components/workflow/event-calls';
import { type EventFilters, eventFiltersQuery } from '@/components/workflow/event-filters';
import type { EventsResponse, WorkflowEvent } from '@/lib/workflow-events/schema';
import { type Pages, usePages } from './use-pages';

const REFRESH_MS = 10_000;

/**
 * The triggers and callbacks for these filters, read again every ten seconds while the page is visible and whenever
 * `version` changes. `initial` is what the server has read for the first filters.
 */
export function useWorkflowEvents(
  filters: EventFilters,
  { initial = null, version }: { initial?: EventsResponse | null; version?: number } = {},
): Pages<WorkflowEvent> {
  return usePages({
    key: eventFiltersQuery(filters),
    read: async (page, signal) => {
      const { events, nextCursor } = await readEvents(filters, page, signal);
      return { items: events, nextCursor };
    },
    everyMs: REFRESH_MS,
    initial: initial && { items: initial.events, nextCursor: initial.nextCursor },
    version,
  });
}
