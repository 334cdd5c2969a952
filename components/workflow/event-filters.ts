import { type PageQuery, readParam } from '@/lib/http/page-params';
import {
  type EventDirection,
  type EventKind,
  eventDirection,
  eventKind,
  listEventsQuery,
} from '@/lib/workflow-events/schema';

/** Filters of the list of triggers and callbacks, stored in the URL. An absent filter means "any". */
export type EventFilters = {
  kind?: EventKind;
  direction?: EventDirection;
  /** Id of one spec upload or image job. */
  subject?: string;
  /** Only events that report a problem. */
  trouble?: boolean;
};

/** Parses the filters from URL parameters. Ignores unknown values and uses the first of repeated parameters. */
export function parseEventFilters(params: PageQuery | URLSearchParams): EventFilters {
  const read = (name: string) => readParam(params, name);
  const kind = eventKind.safeParse(read('kind')).data;
  const direction = eventDirection.safeParse(read('direction')).data;
  const subject = listEventsQuery.shape.subject.safeParse(read('subject')).data;
  return {
    ...(kind ? { kind } : {}),
    ...(direction ? { direction } : {}),
    ...(subject ? { subject } : {}),
    ...(read('trouble') === 'true' ? { trouble: true } : {}),
  };
}

/** Returns the query string of these filters. Its parameters have a fixed order, so it can also be a cache key. */
export function eventFiltersQuery(filters: EventFilters, more: Record<string, string> = {}): string {
  const { kind, direction, subject, trouble } = filters;
  return new URLSearchParams({
    ...(kind ? { kind } : {}),
    ...(direction ? { direction } : {}),
    ...(subject ? { subject } : {}),
    ...(trouble ? { trouble: 'true' } : {}),
    ...more,
  }).toString();
}

/** Returns the URL of the workflow page with these filters. */
export function eventsHref(filters: EventFilters): string {
  const query = eventFiltersQuery(filters);
  return `/admin/workflow${query ? `?${query}` : ''}`;
}
