import { pageParams } from '@/hooks/pages';
import { callApi } from '@/lib/http/client';
import { retriedResponse } from '@/lib/image-gen/schema';
import { retryResponse } from '@/lib/specs/schema';
import {
  appliedResponse,
  type EventKind,
  type EventsResponse,
  eventsResponse,
} from '@/lib/workflow-events/schema';
import { type EventFilters, eventFiltersQuery } from './event-filters';

/** Returns one page of triggers and callbacks, newest first. */
export function readEvents(
  filters: EventFilters,
  cursor: string | null,
  signal: AbortSignal,
): Promise<EventsResponse> {
  const query = eventFiltersQuery(filters, pageParams(30, cursor));
  return callApi(`/api/admin/workflow/events?${query}`, { schema: eventsResponse, signal });
}

/**
 * Starts the next run of a failed spec, or of a failed or canceled image job. Throws `state_conflict` if the spec or
 * job has another status.
 */
export async function sendAgain(kind: EventKind, subjectId: string): Promise<void> {
  if (kind === 'spec') {
    const body = { specUploadId: subjectId };
    await callApi('/api/admin/specs/retry', { method: 'POST', body, schema: retryResponse });
    return;
  }
  await callApi(`/api/image-gen/jobs/${subjectId}/retry`, { method: 'POST', schema: retriedResponse });
}

/** Applies a held callback to its run. */
export async function applyHeld(eventId: string): Promise<void> {
  await callApi(`/api/admin/workflow/events/${eventId}/apply`, { method: 'POST', schema: appliedResponse });
}
