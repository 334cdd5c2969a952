import { z } from 'zod';
import type { AssetHosts } from '@/lib/env/asset-hosts';
import { allowedUrl } from './asset-url';
import { deepFreeze } from './freeze';
import {
  type AssetType,
  assetId,
  assetTypes,
  type InfoResponse,
  type SearchItem,
  searchItem,
} from './schema';

/**
 * The parts of an asset that Atelier uses: the item for lists, the details that only `getInfo` returns, and the version
 * of the asset's files.
 */
export type Asset = {
  item: SearchItem;
  detail: Pick<InfoResponse, 'collections' | 'category_path' | 'attributes' | 'notes' | 'hdri' | 'model'>;
  filesHash: string;
};

const HIDDEN_PREFIX = /^(collection|vault):/;
const DAY_MS = 86_400_000;
const MAX_NAMES = 60;

const words = z.array(z.unknown()).catch([]);
const finite = z.number().nullable().catch(null);
const nonNegative = z.number().min(0);

/** The fields that are used; all others are dropped. Only the first four are required. */
const rawAsset = z.object({
  name: z.string().trim().min(1).max(200),
  type: z.int().min(0).max(2),
  date_published: z.number().min(0).max(8e9),
  thumbnail_url: z.string(),
  tags: words,
  /** Null for libraries that only provide `category` and `attributes`. */
  categories: z.array(z.unknown()).nullable().catch(null),
  authors: z.record(z.string(), z.unknown()).catch({}),
  dimensions: z.array(nonNegative).max(3).nullable().catch(null),
  max_resolution: z.tuple([nonNegative, nonNegative]).nullable().catch(null),
  files_hash: z.string().max(100).catch(''),
  description: z.string().catch(''),
  download_count: nonNegative.max(Number.MAX_SAFE_INTEGER).transform(Math.trunc).catch(0),
  info: z.string().nullable().catch(null),
  category: z.string().max(200).nullable().catch(null),
  attributes: z.record(z.string(), z.unknown()).catch({}),
  evs_cap: finite,
  whitebalance: finite,
  coords: z.tuple([z.number(), z.number()]).nullable().catch(null),
  backplates: z.boolean().catch(false),
  polycount: finite,
  lods: z.boolean().catch(false),
});
type RawAsset = z.output<typeof rawAsset>;

function cleanWords(values: unknown[]): string[] {
  const clean = values.flatMap((value) => {
    const word = typeof value === 'string' ? value.trim().replace(/\s+/g, ' ').toLowerCase() : '';
    return word && word.length <= 100 ? [word] : [];
  });
  return [...new Set(clean)].slice(0, MAX_NAMES);
}

function cleanCredit(credit: unknown): string {
  const text = typeof credit === 'string' ? credit.trim() : '';
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function attributesOf(raw: RawAsset): Record<string, unknown> {
  const isPlain = (value: unknown) =>
    ['string', 'number', 'boolean'].includes(typeof value) ||
    (Array.isArray(value) && value.every((part) => typeof part === 'string'));
  const attributes = Object.entries(raw.attributes).filter(
    ([name, value]) => /^\w{1,40}$/.test(name) && isPlain(value),
  );
  // The library provides `condition` as a list or, in the older format, as a string. Always return a list.
  return Object.fromEntries(
    attributes.map(([name, value]) => [name, name === 'condition' ? [value].flat() : value]),
  );
}

function detailOf(raw: RawAsset, type: AssetType): Asset['detail'] {
  return {
    collections: cleanWords(raw.categories ?? [])
      .filter((name) => name.startsWith('collection:'))
      .map((name) => name.slice('collection:'.length).trim()),
    category_path: raw.category?.trim() || null,
    attributes: attributesOf(raw),
    notes: raw.info?.trim() || null,
    ...(type === 'hdris' && {
      hdri: {
        evs: raw.evs_cap,
        whitebalance_k: raw.whitebalance,
        coords: raw.coords,
        has_backplates: raw.backplates,
      },
    }),
    ...(type === 'models' && { model: { polycount: raw.polycount, has_lods: raw.lods } }),
  };
}

/** Attribute values that do not describe an asset. */
const meaningless = new Set(['', 'none', 'either', 'unknown', 'true', 'false']);

/** Returns an asset's categories. Without `categories`, derives them from the newer `category` and `attributes`. */
function categoriesOf(raw: RawAsset): string[] {
  if (raw.categories) return cleanWords(raw.categories).filter((name) => !HIDDEN_PREFIX.test(name));
  const path = (raw.category ?? '').split('/');
  const facets = Object.values(attributesOf(raw))
    .flat()
    .filter((value) => typeof value === 'string')
    .map((value) => value.replaceAll('_', ' '));
  return cleanWords([...path, ...facets]).filter((name) => !meaningless.has(name));
}

/** Why an entry in the library's list is not used. */
export type DropReason = 'id' | 'name, date or type' | 'thumbnail URL' | 'format';

export type AssetContext = {
  type: AssetType;
  hosts: AssetHosts;
  now: number;
  /** Called with the reason if the entry is not used. */
  onDrop?: (reason: DropReason) => void;
};

/**
 * Converts an entry of the library's list to Atelier's format and freezes it. Returns null for an unusable entry, so
 * that one broken entry cannot break the whole list. An entry is unusable if it has an invalid id or required field,
 * the wrong type, a thumbnail URL that is not allowed, or a value that the API's schema rejects.
 */
export function normalizeAsset(id: string, value: unknown, context: AssetContext): Asset | null {
  const drop = (reason: DropReason): null => {
    context.onDrop?.(reason);
    return null;
  };
  if (!assetId.safeParse(id).success) return drop('id');
  const parsed = rawAsset.safeParse(value);
  if (!parsed.success) return drop('name, date or type');
  const raw = parsed.data;
  const type = assetTypes[raw.type];
  const thumbnail = allowedUrl(raw.thumbnail_url, context.hosts);
  const publishedAt = raw.date_published * 1000;
  if (type !== context.type) return drop('name, date or type');
  if (!thumbnail) return drop('thumbnail URL');
  const ageDays = Math.max(1, (context.now - publishedAt) / DAY_MS);
  const item: SearchItem = {
    id,
    type,
    name: raw.name,
    tags: cleanWords(raw.tags),
    categories: categoriesOf(raw),
    thumbnail_url: thumbnail,
    download_count: raw.download_count,
    downloads_per_day: Math.round((raw.download_count / ageDays) * 10) / 10,
    published_at: new Date(publishedAt).toISOString(),
    description: raw.description.trim().slice(0, 2_000),
    authors: Object.entries(raw.authors)
      .slice(0, MAX_NAMES)
      .map(([name, credit]) => ({ name: name.trim(), credit: cleanCredit(credit) }))
      .filter(({ name }) => name !== ''),
    max_resolution: raw.max_resolution,
    dimensions_mm: raw.dimensions?.map((mm) => Math.round(mm * 10) / 10) ?? null,
    color: null,
  };
  if (!searchItem.safeParse(item).success) return drop('format');
  return deepFreeze({ item, detail: detailOf(raw, type), filesHash: raw.files_hash });
}
