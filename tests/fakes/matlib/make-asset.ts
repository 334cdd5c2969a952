import type { FakeAsset, FakeType, Look, RawAsset } from '@/tests/fakes/matlib/make-library';
import { hexHash, type Random } from '@/tests/fakes/matlib/random';
import { photographers } from '@/tests/fakes/matlib/vocabulary';

const OLDEST = Date.UTC(2017, 5, 1) / 1000;
const NEWEST = Date.UTC(2025, 5, 1) / 1000;
const typeNumbers: Record<FakeType, number> = { hdris: 0, textures: 1, models: 2 };

type Parts = {
  id: string;
  type: FakeType;
  name: string;
  description: string;
  tags: string[];
  categories: string[];
  look: Look;
  more: Record<string, unknown>;
  maxResolution: [number, number];
};

/** Picks a download count. As in the real library, the median is around ten thousand, and a few are very high. */
function downloads(random: Random): number {
  return Math.round(Math.exp(random.next() * 5.2 + random.next() * 3.2 + 5.1));
}

function authors(random: Random): Record<string, string> {
  const [first = '', second = ''] = random.shuffle(photographers);
  return random.chance(0.6) ? { [first]: 'All' } : { [first]: 'Photography', [second]: 'Processing' };
}

/** Builds an asset from its individual parts, and adds the fields that all assets share. */
export function makeAsset(parts: Parts, random: Random): FakeAsset {
  const raw: RawAsset = {
    name: parts.name,
    type: typeNumbers[parts.type],
    date_published: random.int(OLDEST, NEWEST),
    download_count: downloads(random),
    files_hash: hexHash(`files of ${parts.id}`),
    authors: authors(random),
    img_version: hexHash(`picture of ${parts.id}`).slice(0, 8),
    description: parts.description,
    categories: parts.categories,
    tags: parts.tags,
    max_resolution: parts.maxResolution,
    ...parts.more,
  };
  return { id: parts.id, type: parts.type, raw, look: parts.look };
}

/**
 * Creates a function that returns a suffix for a name: '' for its first use, then `02`, `03` …, as in the real library.
 */
export function createNumbering() {
  const taken = new Map<string, number>();
  return (name: string): string => {
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return count === 1 ? '' : String(count).padStart(2, '0');
  };
}
