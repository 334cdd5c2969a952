import { type SpecStatus, specStatus } from '@/lib/specs/schema';

/** Filters of the spec list, stored in the URL so that it can be shared. An absent filter means "any". */
export type SpecFilters = { status?: SpecStatus; brand?: string; area?: string; q?: string };

export type SearchParams = Record<string, string | string[] | undefined>;

const names = ['brand', 'area', 'q'] as const;

/**
 * Parses the filters from URL parameters. Ignores unknown and empty values and uses the first of repeated parameters.
 */
export function parseFilters(params: SearchParams | URLSearchParams): SpecFilters {
  const read = (name: string) => {
    const value = params instanceof URLSearchParams ? params.get(name) : params[name];
    return ((Array.isArray(value) ? value[0] : value) ?? '').trim().slice(0, 200);
  };
  const filters: SpecFilters = {};
  const status = specStatus.safeParse(read('status'));
  if (status.success) filters.status = status.data;
  for (const name of names) {
    const value = read(name);
    if (value) filters[name] = value;
  }
  return filters;
}

/** Returns the query string of these filters, in a fixed order so that it can also be a cache key. */
export function filtersQuery(filters: SpecFilters, more: Record<string, string> = {}): string {
  const query = new URLSearchParams();
  for (const name of ['status', ...names] as const) {
    const value = filters[name];
    if (value) query.set(name, value);
  }
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return query.toString();
}

/** Returns whether any filter is set. */
export function isFiltered(filters: SpecFilters): boolean {
  return filtersQuery(filters) !== '';
}
