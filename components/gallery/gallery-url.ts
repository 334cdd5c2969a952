import { galleryQuery } from '@/lib/image-gen/schema';

/** The filters of the gallery. They are stored in the URL so that a filtered view can be shared. */
export type GalleryFilters = { starred: boolean; deleted: boolean; createdBy?: string; q?: string };

/** Parses the filters from URL parameters. Ignores invalid values and uses the first of repeated ones. */
export function parseGalleryUrl(
  params: URLSearchParams | Record<string, string | string[] | undefined>,
): GalleryFilters {
  const read = (name: string) => {
    const value = params instanceof URLSearchParams ? params.get(name) : params[name];
    return ((Array.isArray(value) ? value[0] : value) ?? '').trim();
  };
  const q = read('q').slice(0, 200).trim();
  return {
    starred: read('starred') === 'true',
    deleted: read('deleted') === 'true',
    createdBy: galleryQuery.shape.createdBy.safeParse(read('createdBy')).data,
    q: q === '' ? undefined : q,
  };
}

/** Returns the query string of these filters, in a fixed order so that it can also be a cache key. */
export function galleryFiltersQuery({ starred, deleted, createdBy, q }: GalleryFilters): string {
  const query = new URLSearchParams();
  if (starred) query.set('starred', 'true');
  if (deleted) query.set('deleted', 'true');
  if (createdBy) query.set('createdBy', createdBy);
  if (q) query.set('q', q);
  return query.toString();
}

/** Returns the URL path and query string of a project's gallery with these filters. */
export function galleryHref(
  projectId: string,
  filters: GalleryFilters = { starred: false, deleted: false },
): string {
  const query = galleryFiltersQuery(filters);
  return `/projects/${projectId}/gallery${query ? `?${query}` : ''}`;
}
