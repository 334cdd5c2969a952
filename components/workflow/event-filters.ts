import {
  type EventDirection,
  type EventKind,
  eventDirection,
  eventKind,
  listEventsQuery,
} from '@/lib/workflow/schema';

/** What the list of triggers and callbacks shows; absent means "any". Kept in the address. */
export type EventFilters = {
  kind?: EventKind;
  direction?: EventDirection;
  /** One spec upload or image job alone. */
  subject?: string;
  /** Only what did not go well. */
  trouble?: boolean;
};

type SearchParams = Record<string, string | string[] | undefined>;

/** Reads the filters of an address. Whatever is unknown counts as absent; of a repeated one, the first. */
export function parseEventFilters(params: SearchParams | URLSearchParams): EventFilters {
  const read = (name: string) => {
    const value = params instanceof URLSearchParams ? params.get(name) : params[name];
    return Array.isArray(value) ? value[0] : value;
  };
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

/** The query string of these filters, always in the same order, so that it also serves as their key. */
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

/** The page that lists what these filters let through. */
export function eventsHref(filters: EventFilters): string {
  const query = eventFiltersQuery(filters);
  return `/admin/workflow${query ? `?${query}` : ''}`;
}
