import {
  type AssetType,
  assetId,
  assetType,
  MAX_QUERY_LENGTH,
  type SearchSort,
  type Swatch,
  searchSort,
  swatch,
} from '@/lib/matlib/schema';

/** What the material page shows, as its address says it. */
export type MaterialAddress = {
  q: string;
  type: AssetType;
  /** A material has to be in all of them. */
  categories: string[];
  color: Swatch | null;
  /** Null: the best match for words, else the most downloaded. */
  sort: SearchSort | null;
  /** The id of the material that is looked at. */
  material: string | null;
};

type Query = URLSearchParams | Record<string, string | string[] | undefined>;

const MAX_CATEGORIES = 10;

export const startAddress: MaterialAddress = {
  q: '',
  type: 'textures',
  categories: [],
  color: null,
  sort: null,
  material: null,
};

/** Reads the query of the page. Whatever is not valid counts as absent; of a repeated one, the first. */
export function parseMaterialAddress(query: Query): MaterialAddress {
  const read = (name: string) => {
    const value = query instanceof URLSearchParams ? query.get(name) : query[name];
    return (Array.isArray(value) ? value[0] : value) ?? '';
  };
  const names = read('categories')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name.length <= 64);
  return {
    q: [...read('q').trim()].slice(0, MAX_QUERY_LENGTH).join(''),
    type: assetType.safeParse(read('type')).data ?? startAddress.type,
    categories: [...new Set(names)].slice(0, MAX_CATEGORIES),
    color: swatch.safeParse(read('color')).data ?? null,
    sort: searchSort.safeParse(read('sort')).data ?? null,
    material: assetId.safeParse(read('material')).data ?? null,
  };
}

function searchParams({ q, type, categories, color, sort }: MaterialAddress): URLSearchParams {
  const query = new URLSearchParams();
  if (q) query.set('q', q);
  if (type !== startAddress.type) query.set('type', type);
  if (categories.length > 0) query.set('categories', categories.join(','));
  if (color) query.set('color', color);
  if (sort) query.set('sort', sort);
  return query;
}

/** What is searched for, as one key: the same for every material that is looked at meanwhile. */
export function searchKey(address: MaterialAddress): string {
  return searchParams(address).toString();
}

/** The address of the page. */
export function materialsHref(address: Partial<MaterialAddress>): string {
  const query = searchParams({ ...startAddress, ...address });
  if (address.material) query.set('material', address.material);
  const text = query.toString();
  return `/materials${text ? `?${text}` : ''}`;
}

/** Whether anything but the type narrows what is shown. */
export function isNarrowed({ q, categories, color }: MaterialAddress): boolean {
  return q !== '' || categories.length > 0 || color !== null;
}
