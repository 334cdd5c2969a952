import { z } from 'zod';
import { limitWithDefault } from '@/lib/http/page';

export const assetTypes = ['hdris', 'textures', 'models'] as const;
export const assetType = z.enum(assetTypes);
export type AssetType = z.infer<typeof assetType>;

export const searchSorts = ['relevance', 'downloads', 'newest', 'hot', 'name'] as const;
export const searchSort = z.enum(searchSorts);
export type SearchSort = z.infer<typeof searchSort>;

/** The swatches that materials can be filtered by, each with its representative color. */
export const swatches = {
  white: '#f4f3f0',
  grey: '#8b8c8d',
  black: '#1c1c1d',
  beige: '#d8c6a6',
  brown: '#7a4f30',
  red: '#b3352b',
  orange: '#d9802e',
  yellow: '#e0bd3c',
  green: '#5d8a46',
  teal: '#2f8f8b',
  blue: '#3d6bb3',
  purple: '#7d57a5',
  pink: '#d98fa5',
} as const;
export type Swatch = keyof typeof swatches;
export const swatchNames = Object.keys(swatches) as [Swatch, ...Swatch[]];
export const swatch = z.enum(swatchNames);

/** An asset id. Case matters: some models have ids like `ArmChair_01`. */
export const assetId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,50}$/, 'must be 1 to 50 letters, digits, "_" or "-"');

export const MAX_QUERY_LENGTH = 100;
export const MAX_OFFSET = 10_000;
export const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 24;
const MAX_LIST_NAMES = 10;

const digits = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number in plain digits')
  .transform(Number);

const flag = z.enum(['0', '1'], 'must be 0 or 1').transform((value) => value === '1');

/** A comma list of names. Case, and blanks around a name, do not matter. */
function nameList(format: RegExp, message: string) {
  return z
    .string()
    .max(MAX_LIST_NAMES * 80, `must have at most ${MAX_LIST_NAMES} names`)
    .transform((value) => [...new Set(value.split(',').map((name) => name.trim().toLowerCase()))])
    .transform((names) => names.filter((name) => name !== ''))
    .refine((names) => names.length <= MAX_LIST_NAMES, `must have at most ${MAX_LIST_NAMES} names`)
    .refine((names) => names.every((name) => format.test(name)), message);
}

/** Returns the JSON Schema of a `nameList`. `name` is the pattern of a name, in either case. */
function listInJson(description: string, name = '[^,]*') {
  const item = `\\s*(${name})?\\s*`;
  const text = `${description} At most ${MAX_LIST_NAMES} names, separated by commas.`;
  return {
    json: {
      type: 'string',
      maxLength: MAX_LIST_NAMES * 80,
      pattern: `^${item}(,${item})*$`,
      description: text,
    },
  };
}

export const categoryName = /^.{1,64}$/u;
const categoryNames = nameList(categoryName, 'must have names of at most 64 characters')
  .optional()
  .default([])
  .meta(listInJson('Only materials that are in all of these categories.'));

/** The query of `GET /api/matlib/search`. */
export const searchQuery = z.object({
  q: z
    .string()
    .transform((value) => value.trim())
    .refine(
      (value) => [...value].length <= MAX_QUERY_LENGTH,
      `must have at most ${MAX_QUERY_LENGTH} characters`,
    )
    .optional()
    .default('')
    .meta({ json: { type: 'string', maxLength: MAX_QUERY_LENGTH } }),
  type: assetType.optional().default('textures'),
  categories: categoryNames,
  color: swatch.optional(),
  sort: searchSort.optional(),
  limit: limitWithDefault(DEFAULT_LIMIT),
  offset: digits
    .refine((n) => n <= MAX_OFFSET, `must be at most ${MAX_OFFSET}`)
    .optional()
    .default(0)
    .meta({ json: { type: 'integer', minimum: 0, maximum: MAX_OFFSET, default: 0 } }),
  facets: flag.optional().default(false),
});
export type SearchQuery = z.output<typeof searchQuery>;

/** The query of `GET /api/matlib/categories`. */
export const categoriesQuery = z.object({
  type: assetType.optional().default('textures'),
  in: categoryNames,
});
export type CategoriesQuery = z.output<typeof categoriesQuery>;

/** The path parameters of `GET /api/matlib/info/{id}` and `GET /api/matlib/files/{id}`. */
export const assetParams = z.object({ id: assetId });

/** The body of `POST /api/projects/{id}/images/material`. */
export const keepMaterialBody = z.object({
  materialId: assetId,
  /** `texture` is the repeating texture at a resolution of up to 4K, and `preview` is an image of the material. */
  picture: z.enum(['preview', 'texture']).default('preview'),
});

/** The query of `GET /api/matlib/files/{id}`. `resolutions` is `all` or a list such as `1k,2k`. */
export const filesQuery = z.object({
  resolutions: nameList(/^(\d{1,2}k|all)$/, 'must be "all" or resolutions such as 1k,2k,4k')
    .refine((names) => names.length > 0, 'must have at least one resolution')
    .optional()
    .default(['1k', '2k', '4k'])
    .transform((names) => (names.includes('all') ? ('all' as const) : names))
    .meta(
      listInJson(
        'Resolutions such as `1k,2k,4k`, which is the default, or `all`.',
        '\\d{1,2}[kK]|[aA][lL][lL]',
      ),
    ),
  formats: nameList(/^[a-z0-9]{1,8}$/, 'must be formats such as jpg,png')
    .optional()
    .default([])
    .meta(listInJson('Formats such as `jpg,png`; all by default.', '[a-zA-Z0-9]{1,8}')),
});
export type FilesQuery = z.output<typeof filesQuery>;

/** The source of the materials. The URL is null for the sample library. */
export const sourceResponse = z.object({
  name: z.string(),
  url: z.string().nullable(),
  license: z.string(),
  credit: z.string(),
});
export type Source = z.infer<typeof sourceResponse>;

export const searchItem = z.object({
  id: assetId,
  type: assetType,
  name: z.string(),
  tags: z.array(z.string()),
  categories: z.array(z.string()),
  thumbnail_url: z.url(),
  download_count: z.int().min(0),
  downloads_per_day: z.number().min(0),
  published_at: z.iso.datetime(),
  description: z.string(),
  authors: z.array(z.object({ name: z.string(), credit: z.string() })),
  max_resolution: z.tuple([z.number(), z.number()]).nullable(),
  dimensions_mm: z.array(z.number()).nullable(),
  /** The dominant color of the thumbnail as `#rrggbb`; null while it is unknown, or if the thumbnail has none. */
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/)
    .nullable(),
});
export type SearchItem = z.infer<typeof searchItem>;

const freshness = {
  source: sourceResponse,
  /** Present if the library is unavailable and the response contains its last known state. */
  stale: z.literal(true).optional(),
  fetched_at: z.iso.datetime(),
};

export const searchResponse = z.object({
  query: z.string(),
  type: assetType,
  categories: z.array(z.string()),
  color: swatch.nullable(),
  sort: searchSort,
  /** The number of all matches, before applying `limit` and `offset`. */
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  results: z.array(searchItem),
  /**
   * `categories` counts the matches in each category. `colors` counts the matches in each swatch, and `colors_unknown`
   * counts the matches whose color is not known yet. `colors` and `colors_unknown` ignore the requested `color`, and do
   * not count items that have no color.
   */
  facets: z
    .object({
      categories: z.record(z.string(), z.int()),
      colors: z.partialRecord(swatch, z.int()),
      colors_unknown: z.int(),
    })
    .optional(),
  /**
   * For each type, the number of materials that match the words and the color, regardless of categories. Null for a
   * type whose list is unavailable. Absent if `query` is empty.
   */
  totals: z
    .object({ hdris: z.int().nullable(), textures: z.int().nullable(), models: z.int().nullable() })
    .optional(),
  /**
   * How the best result matches the words: `exact` if it matches all of them, `fuzzy` if it matches all of them after
   * correcting typos, and `any` if it matches only some. Absent if `query` is empty.
   */
  match: z.enum(['exact', 'fuzzy', 'any']).optional(),
  ...freshness,
});
export type SearchResponse = z.infer<typeof searchResponse>;

export const categoriesResponse = z.object({
  categories: z.array(z.string()),
  counts: z.record(z.string(), z.int()),
  total: z.int(),
  type: assetType,
  ...freshness,
});
export type CategoriesResponse = z.infer<typeof categoriesResponse>;

export const infoResponse = z.object({
  ...searchItem.shape,
  collections: z.array(z.string()),
  category_path: z.string().nullable(),
  attributes: z.record(z.string(), z.unknown()),
  notes: z.string().nullable(),
  available: z.object({ page_url: z.string().nullable(), license: z.string() }),
  hdri: z
    .object({
      evs: z.number().nullable(),
      whitebalance_k: z.number().nullable(),
      coords: z.tuple([z.number(), z.number()]).nullable(),
      has_backplates: z.boolean(),
    })
    .optional(),
  model: z.object({ polycount: z.number().nullable(), has_lods: z.boolean() }).optional(),
  ...freshness,
});
export type InfoResponse = z.infer<typeof infoResponse>;

export const mapRoles = [
  'base_color',
  'normal_gl',
  'normal_dx',
  'roughness',
  'metalness',
  'ao',
  'displacement',
  'arm',
  'rma',
  'bump',
  'specular',
  'opacity',
  'emission',
  'translucency',
  'environment',
  'mask',
  'other',
] as const;
export const mapRole = z.enum(mapRoles);
export type MapRole = z.infer<typeof mapRole>;

/** One file of an asset. `size` is in bytes, or null if the library does not provide it. */
export const fileRef = z.object({
  url: z.url(),
  size: z.int().min(0).nullable(),
  md5: z.string().nullable(),
});
export type FileRef = z.infer<typeof fileRef>;

const packageRef = z.object({
  ...fileRef.shape,
  include: z.array(z.object({ ...fileRef.shape, path: z.string() })),
});
export type PackageRef = z.infer<typeof packageRef>;

const byName = <Value extends z.ZodType>(value: Value) => z.record(z.string(), value);

/** The files of one asset, as they are cached and returned. */
export const fileTree = z.object({
  /** Map → resolution → format: `maps.Diffuse['1k'].jpg`. */
  maps: byName(byName(byName(fileRef))),
  map_roles: byName(mapRole),
  /** Package → resolution → the main file, with the files that belong in its folder. */
  packages: byName(byName(packageRef)),
  extras: z.object({
    tonemapped: fileRef.optional(),
    colorchart: fileRef.optional(),
    backplates: byName(byName(fileRef)).optional(),
  }),
});
export type FileTree = z.infer<typeof fileTree>;

/** The keys of `textures`. */
export const textureWords = [
  'diffuse',
  'normal',
  'normal_dx',
  'roughness',
  'metalness',
  'ao',
  'displacement',
  'arm',
  'rma',
  'bump',
  'specular',
  'opacity',
  'emission',
  'translucency',
  'environment',
  'mask',
] as const;
export const textureWord = z.enum(textureWords);
export type TextureWord = z.infer<typeof textureWord>;

/**
 * The maps by purpose, resolution and format, for example `textures.diffuse['2K'].jpg`. If several maps have the same
 * purpose, only the one with the most usual name is included.
 */
export const textures = z.partialRecord(textureWord, byName(byName(fileRef.pick({ url: true, size: true }))));
export type Textures = z.infer<typeof textures>;

export const filesResponse = z.object({
  id: assetId,
  type: assetType,
  /** The resolutions in `maps` and `packages`, smallest first. */
  resolutions: z.array(z.string()),
  /** All resolutions of the asset, smallest first. */
  available_resolutions: z.array(z.string()),
  ...fileTree.shape,
  textures,
  ...freshness,
});
export type FilesResponse = z.infer<typeof filesResponse>;
