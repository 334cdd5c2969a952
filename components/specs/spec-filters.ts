import { dayParam } from '@/lib/http/day';
import { type PageQuery, readParam } from '@/lib/http/page-params';
import { type SpecSort, type SpecStatus, specSort, specStatus, versionFilter } from '@/lib/specs/schema';

/** The filters and order of the spec list, stored in the URL so that they can be shared. All are optional. */
export type SpecListFilters = {
  status?: SpecStatus;
  brand?: string;
  area?: string;
  q?: string;
  /** First day in UTC. */
  from?: string;
  /** Last day in UTC, inclusive. */
  to?: string;
  /** If undefined, the list contains only current versions. */
  versions?: 'all';
  /** By default, a search lists the best matches first; without a search, the newest specs come first. */
  sort?: SpecSort;
};

/** Returns the order of the list for filters without `sort`. */
export function defaultSort({ q }: SpecListFilters): SpecSort {
  return q ? 'match' : 'newest';
}

const texts = ['brand', 'area', 'q'] as const;
const days = ['from', 'to'] as const;

/**
 * Parses the filters from URL parameters. Ignores unknown and empty values, and uses only the first value of a repeated
 * parameter.
 */
export function parseFilters(params: PageQuery | URLSearchParams): SpecListFilters {
  const read = (name: string) => readParam(params, name).slice(0, 200);
  const filters: SpecListFilters = {};
  const status = specStatus.safeParse(read('status'));
  if (status.success) filters.status = status.data;
  for (const name of texts) {
    const value = read(name);
    if (value) filters[name] = value;
  }
  for (const name of days) {
    const day = dayParam.safeParse(read(name));
    if (day.success) filters[name] = day.data;
  }
  if (versionFilter.safeParse(read('versions')).data === 'all') filters.versions = 'all';
  const sort = specSort.safeParse(read('sort'));
  if (sort.success && sort.data !== 'match' && sort.data !== defaultSort(filters)) filters.sort = sort.data;
  return filters;
}

/**
 * Returns the query string of these filters, followed by the parameters in `more`. The order is fixed so that the
 * string can also be a cache key.
 */
export function filtersQuery(filters: SpecListFilters, more: Record<string, string> = {}): string {
  const query = new URLSearchParams();
  for (const name of ['status', ...texts, ...days, 'versions', 'sort'] as const) {
    const value = filters[name];
    if (value) query.set(name, value);
  }
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return query.toString();
}
