import { z } from 'zod';
import { type AssetHosts, allowedUrl } from './asset-url';
import { deepFreeze } from './freeze';
import { type AssetType, assetId, assetTypes, type InfoAnswer, type SearchItem } from './schema';

/** What is kept of an asset: the item that lists show, the rest that its detail shows, and the version of its files. */
export type Asset = {
  item: SearchItem;
  detail: Pick<InfoAnswer, 'collections' | 'category_path' | 'attributes' | 'notes' | 'hdri' | 'model'>;
  filesHash: string;
};

const HIDDEN_PREFIX = /^(collection|vault):/;
const DAY_MS = 86_400_000;
const MAX_NAMES = 60;

const words = z.array(z.unknown()).catch([]);
const finite = z.number().nullable().catch(null);
const nonNegative = z.number().min(0);

/** The fields that we take; whatever else is there stays behind. Only the first four can cost an asset its place. */
const rawAsset = z.object({
  name: z.string().trim().min(1).max(200),
  type: z.int().min(0).max(2),
  date_published: z.number().min(0).max(8e9),
  thumbnail_url: z.string(),
  tags: words,
  categories: words,
  authors: z.record(z.string(), z.unknown()).catch({}),
  dimensions: z.array(nonNegative).max(3).nullable().catch(null),
  max_resolution: z.tuple([nonNegative, nonNegative]).nullable().catch(null),
  files_hash: z.string().max(100).catch(''),
  description: z.string().catch(''),
  download_count: nonNegative.transform(Math.trunc).catch(0),
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
  const given = Object.entries(raw.attributes).filter(
    ([name, value]) => /^\w{1,40}$/.test(name) && isPlain(value),
  );
  // The library turned `condition` from one word into a list; ours is a list always.
  return Object.fromEntries(
    given.map(([name, value]) => [name, name === 'condition' ? [value].flat() : value]),
  );
}

function detailOf(raw: RawAsset, type: AssetType): Asset['detail'] {
  return {
    collections: cleanWords(raw.categories)
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

/**
 * One entry of the library's list as we keep it, frozen; null for one that is no use: a bad id, no name, another
 * type, an image from elsewhere, or a date of publication that has not come yet.
 */
export function normaliseAsset(
  id: string,
  value: unknown,
  context: { type: AssetType; hosts: AssetHosts; now: number },
): Asset | null {
  const parsed = rawAsset.safeParse(value);
  if (!parsed.success || !assetId.safeParse(id).success) return null;
  const raw = parsed.data;
  const type = assetTypes[raw.type];
  const thumbnail = allowedUrl(raw.thumbnail_url, context.hosts);
  const publishedAt = raw.date_published * 1000;
  if (type !== context.type || !thumbnail || publishedAt > context.now) return null;
  const ageDays = Math.max(1, (context.now - publishedAt) / DAY_MS);
  const item: SearchItem = {
    id,
    type,
    name: raw.name,
    tags: cleanWords(raw.tags),
    categories: cleanWords(raw.categories).filter((name) => !HIDDEN_PREFIX.test(name)),
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
  return deepFreeze({ item, detail: detailOf(raw, type), filesHash: raw.files_hash });
}
