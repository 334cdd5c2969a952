import { type SpecStatus, specStatus } from '@/lib/specs/schema';

/** What the list shows; absent means "any". Kept in the address, so that it can be shared and gone back to. */
export type SpecFilters = { status?: SpecStatus; brand?: string; area?: string; q?: string };

export type SearchParams = Record<string, string | string[] | undefined>;

const names = ['brand', 'area', 'q'] as const;

/** Reads the filters of an address. Whatever is unknown or empty counts as absent; of a repeated one, the first. */
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

/** The query string of these filters, always in the same order, so that it also serves as their key. */
export function filtersQuery(filters: SpecFilters, more: Record<string, string> = {}): string {
  const query = new URLSearchParams();
  for (const name of ['status', ...names] as const) {
    const value = filters[name];
    if (value) query.set(name, value);
  }
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return query.toString();
}

/** Whether any filter narrows the list. */
export function isFiltered(filters: SpecFilters): boolean {
  return filtersQuery(filters) !== '';
}
