import { type ActivityFilters, activityFilters } from '@/lib/activity/schema';
import { type PageQuery, readParam } from '@/lib/http/page-params';

const names = ['actor', 'action', 'from', 'to'] as const;

/**
 * Parses the filters from URL parameters. Ignores invalid values and, if a parameter is repeated, all but its first
 * value.
 */
export function parseActivityFilters(params: PageQuery | URLSearchParams): ActivityFilters {
  const filters: ActivityFilters = {};
  for (const name of names) {
    const parsed = activityFilters.shape[name].safeParse(readParam(params, name) || undefined);
    if (parsed.success && parsed.data) filters[name] = parsed.data;
  }
  return filters;
}

/** Returns the query string of these filters, in a fixed order so that it can also be a cache key. */
export function activityQuery(filters: ActivityFilters, more: Record<string, string> = {}): string {
  const entries = names.flatMap((name) => (filters[name] ? [[name, filters[name]]] : []));
  return new URLSearchParams({ ...Object.fromEntries(entries), ...more }).toString();
}

/** Returns the URL of the activity page with these filters. */
export function activityHref(filters: ActivityFilters): string {
  const query = activityQuery(filters);
  return `/admin/people/activity${query ? `?${query}` : ''}`;
}
