import { type PageQuery, readParam } from '@/lib/http/page-params';
import {
  type AssetType,
  assetId,
  assetType,
  categoryName,
  MAX_QUERY_LENGTH,
  type SearchSort,
  type Swatch,
  searchSort,
  swatch,
} from '@/lib/matlib/schema';

/** The state of the materials page, which is stored in the URL. */
export type MaterialUrl = {
  q: string;
  type: AssetType;
  /** Matching materials are in all of these categories. */
  categories: string[];
  color: Swatch | null;
  /** Null for the default order: best match first if there is a query, otherwise most downloaded first. */
  sort: SearchSort | null;
  /** Id of the open material. */
  material: string | null;
};

const MAX_CATEGORIES = 10;
/** Results per page: a multiple of 2, 3, 4, 6 and 8, so that a page ends with a full row in most grids. */
const PAGE = 96;

export const initialMaterialUrl: MaterialUrl = {
  q: '',
  type: 'textures',
  categories: [],
  color: null,
  sort: null,
  material: null,
};

/** Parses the page's URL parameters. Ignores invalid values, and uses only the first value of a repeated parameter. */
export function parseMaterialUrl(params: PageQuery | URLSearchParams): MaterialUrl {
  const read = (name: string) => readParam(params, name);
  const names = read('categories')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => categoryName.test(name));
  return {
    q: [...read('q')].slice(0, MAX_QUERY_LENGTH).join(''),
    type: assetType.safeParse(read('type')).data ?? initialMaterialUrl.type,
    categories: [...new Set(names)].slice(0, MAX_CATEGORIES),
    color: swatch.safeParse(read('color')).data ?? null,
    sort: searchSort.safeParse(read('sort')).data ?? null,
    material: assetId.safeParse(read('material')).data ?? null,
  };
}

function searchParams({ q, type, categories, color, sort }: MaterialUrl): URLSearchParams {
  const query = new URLSearchParams();
  if (q) query.set('q', q);
  if (type !== initialMaterialUrl.type) query.set('type', type);
  if (categories.length > 0) query.set('categories', categories.join(','));
  if (color) query.set('color', color);
  if (sort) query.set('sort', sort);
  return query;
}

/** Returns a string that identifies the search, regardless of the open material. */
export function searchKey(url: MaterialUrl): string {
  return searchParams(url).toString();
}

/** Returns the API's parameters for one page of a search. Requests the counts only with the first page. */
export function pageQuery(key: string, offset: number): URLSearchParams {
  const query = new URLSearchParams(key);
  query.set('limit', String(PAGE));
  if (offset === 0) query.set('facets', '1');
  else query.set('offset', String(offset));
  return query;
}

/** Returns the URL path and query string of the materials page. */
export function materialsHref(url: Partial<MaterialUrl>): string {
  const query = searchParams({ ...initialMaterialUrl, ...url });
  if (url.material) query.set('material', url.material);
  const text = query.toString();
  return `/materials${text ? `?${text}` : ''}`;
}

/** Returns whether a query, a category or a color is set. The type does not count. */
export function isNarrowed({ q, categories, color }: MaterialUrl): boolean {
  return q !== '' || categories.length > 0 || color !== null;
}
