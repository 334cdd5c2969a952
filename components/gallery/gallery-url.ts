import { dayParam, firstOfLastDays } from '@/lib/http/day';
import { type PageQuery, readParam } from '@/lib/http/page-params';
import { galleryQuery } from '@/lib/image-gen/schema';

/** The choices for the number of recent days, with their labels. */
export const lastDays = [
  { days: 1, label: 'Today' },
  { days: 7, label: 'Last 7 days' },
  { days: 30, label: 'Last 30 days' },
] as const;

/** The filters of the gallery. They are stored in the URL so that a filtered view can be shared. */
export type GalleryFilters = {
  starred: boolean;
  deleted: boolean;
  createdBy?: string;
  q?: string;
  material?: string;
  /** Number of recent days in UTC, including today. In the URL, it takes precedence over `from` and `to`. */
  last?: number;
  /** First day in UTC. */
  from?: string;
  /** Last day in UTC, inclusive. */
  to?: string;
};

/**
 * Parses the filters from URL parameters. Ignores invalid values, and uses only the first value of a repeated
 * parameter.
 */
export function parseGalleryUrl(params: PageQuery | URLSearchParams): GalleryFilters {
  const read = (name: string) => readParam(params, name);
  const q = read('q').slice(0, 200).trim();
  const last = lastDays.find(({ days }) => String(days) === read('last'))?.days;
  const day = (name: string) => (last === undefined ? dayParam.safeParse(read(name)).data : undefined);
  return {
    starred: read('starred') === 'true',
    deleted: read('deleted') === 'true',
    createdBy: galleryQuery.shape.createdBy.safeParse(read('createdBy')).data,
    q: q === '' ? undefined : q,
    material: galleryQuery.shape.material.safeParse(read('material')).data || undefined,
    last,
    from: day('from'),
    to: day('to'),
  };
}

/** Returns the query string of these filters, in a fixed order so that it can also be a cache key. */
export function galleryFiltersQuery(filters: GalleryFilters): string {
  const query = new URLSearchParams();
  for (const name of ['starred', 'deleted', 'createdBy', 'q', 'material', 'last', 'from', 'to'] as const) {
    const value = filters[name];
    if (value) query.set(name, String(value));
  }
  return query.toString();
}

/** Converts the filters to the API's form, which has dates instead of a number of recent days. */
export function apiFilters(
  { last, ...filters }: GalleryFilters,
  now = Date.now(),
): Omit<GalleryFilters, 'last'> {
  return last === undefined ? filters : { ...filters, from: firstOfLastDays(last, now) };
}

/**
 * Returns the option that the time filter shows: a number of recent days, `days` for a range of days, or `any`.
 * `opensDays` is whether the user chose to enter a range of days. It has no effect while `last` is set.
 */
export function timeChoice({ last, from, to }: GalleryFilters, opensDays: boolean): string {
  if (last !== undefined) return String(last);
  return opensDays || from !== undefined || to !== undefined ? 'days' : 'any';
}

/** Returns whether any filter is set. Deleted images are a separate list, not a filter. */
export function isGalleryFiltered(filters: GalleryFilters): boolean {
  return galleryFiltersQuery({ ...filters, deleted: false }) !== '';
}

/** Returns the URL path and query string of a project's gallery with these filters. */
export function galleryHref(
  projectId: string,
  filters: GalleryFilters = { starred: false, deleted: false },
): string {
  const query = galleryFiltersQuery(filters);
  return `/projects/${projectId}/gallery${query ? `?${query}` : ''}`;
}
