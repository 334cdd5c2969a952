'use client';

import { type Pages, usePages } from '@/hooks/use-pages';
import type { EventsResponse, WorkflowEvent } from '@/lib/workflow-events/schema';
import { readEvents } from './event-calls';
import { type EventFilters, eventFiltersQuery } from './event-filters';

const REFRESH_MS = 10_000;

export const workflowEventsKey = ['workflow-events'];

const pageOf = ({ events, nextCursor }: EventsResponse) => ({ items: events, nextCursor });

/**
 * Returns the triggers and callbacks that match the filters. Reads them again every ten seconds while the page is
 * visible. `initial` is the server-rendered list for the initial filters.
 */
export function useWorkflowEvents(
  filters: EventFilters,
  initial: EventsResponse | null = null,
): Pages<WorkflowEvent> {
  return usePages({
    queryKey: [...workflowEventsKey, eventFiltersQuery(filters)],
    read: async (cursor, signal) => pageOf(await readEvents(filters, cursor, signal)),
    initial: initial && pageOf(initial),
    pollMs: REFRESH_MS,
  });
}
