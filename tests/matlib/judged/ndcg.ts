import { type Oklab, oklabOf } from '@/lib/matlib/color/oklab';
import { normalizeAsset } from '@/lib/matlib/normalize-asset';
import type { SearchItem } from '@/lib/matlib/schema';
import { makeLibrary } from '@/tests/fakes/matlib/make-library';
import { type Judged, type Kind, kinds } from '@/tests/matlib/judged/queries';
import { shelf } from '@/tests/matlib/judged/shelf';

const FIRST = 10;

/** Returns the items to search: the textures of the fake library, with their colors, and the materials of `shelf`. */
export function judgedItems(): SearchItem[] {
  const host = 'cdn.example.test';
  const made = [...makeLibrary().textures.values()].flatMap(({ id, raw, look }) => {
    const asset = normalizeAsset(
      id,
      { ...raw, thumbnail_url: `https://${host}/${id}.png` },
      { type: 'textures', hosts: new Set([host]), now: Date.UTC(2026, 0, 1) },
    );
    return asset ? [{ ...asset.item, color: look.colors[0] ?? null }] : [];
  });
  return [...made, ...shelf];
}

function labOf(hex: string): Oklab {
  const value = Number.parseInt(hex.slice(1), 16);
  return oklabOf(value >> 16, (value >> 8) & 255, value & 255);
}

const near = (hex: string, reach: number) => (lab: Oklab) => {
  const other = labOf(hex);
  return Math.hypot(lab.L - other.L, lab.a - other.a, lab.b - other.b) < reach;
};
const hue = ({ a, b }: Oklab) => ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;
const chroma = ({ a, b }: Oklab) => Math.hypot(a, b);

/** For each color name in the rules, a check of whether an image's color matches it. */
const colors: Record<string, (lab: Oklab) => boolean> = {
  white: (lab) => lab.L > 0.82 && chroma(lab) < 0.03,
  black: (lab) => lab.L < 0.32,
  grey: (lab) => chroma(lab) < 0.025 && lab.L > 0.35 && lab.L < 0.85,
  beige: (lab) => lab.L > 0.68 && chroma(lab) > 0.025 && chroma(lab) < 0.1 && hue(lab) > 55 && hue(lab) < 105,
  blue: (lab) => chroma(lab) > 0.04 && hue(lab) > 225 && hue(lab) < 285,
  green: (lab) => chroma(lab) > 0.025 && hue(lab) > 110 && hue(lab) < 175,
  red: (lab) => chroma(lab) > 0.08 && (hue(lab) < 42 || hue(lab) > 350) && lab.L < 0.65,
  pink: (lab) => chroma(lab) > 0.03 && (hue(lab) < 50 || hue(lab) > 340) && lab.L > 0.65,
  teal: (lab) => chroma(lab) > 0.04 && hue(lab) > 170 && hue(lab) < 230,
  burgundy: near('#6d1a36', 0.1),
  navy: near('#2b3a5e', 0.1),
  mustard: near('#c99a34', 0.08),
  sage: near('#9aa88a', 0.08),
  dark: (lab) => lab.L < 0.42,
  darkwood: (lab) => lab.L < 0.5,
  light: (lab) => lab.L > 0.72,
};

const wordsOf = (text: string) => text.toLowerCase().split(/[^a-z]+/);
const forms = (word: string) => [word, `${word}s`, word.replace(/s$/, '')];

function serves(item: SearchItem, rule: string | undefined): boolean {
  if (!rule) return false;
  const name = new Set(wordsOf(item.name));
  const all = new Set([...name, ...[...item.tags, ...item.categories].flatMap(wordsOf)]);
  return rule.split('|').some((oneCase) =>
    oneCase
      .trim()
      .split(' ')
      .every((part) => {
        if (part.startsWith('#')) return item.color !== null && colors[part.slice(1)]?.(labOf(item.color));
        const has = (words: Set<string>, word: string) => forms(word).some((form) => words.has(form));
        if (part.startsWith('!')) return !has(all, part.slice(1));
        return part.startsWith('=') ? has(name, part.slice(1)) : has(all, part);
      }),
  );
}

/** Grades how well an item matches a query, from 0 to 3. */
export function gradeOf(item: SearchItem, { best, good, fair }: Judged): number {
  return serves(item, best) ? 3 : serves(item, good) ? 2 : serves(item, fair) ? 1 : 0;
}

const gain = (grades: number[]) =>
  grades.slice(0, FIRST).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);

export type Scores = { all: number; byKind: Record<Kind, number>; byQuery: { q: string; ndcg: number }[] };

/**
 * Computes an engine's nDCG@10 for each query, the mean over all queries, and the mean over the queries of each kind.
 * `find` returns ids, best match first. Throws if a query matches no item.
 */
export function measure(items: SearchItem[], queries: Judged[], find: (q: string) => string[]): Scores {
  const byId = new Map(items.map((item) => [item.id, item]));
  const scored = queries.map((query) => {
    const ideal = gain(items.map((item) => gradeOf(item, query)).sort((a, b) => b - a));
    if (ideal === 0) throw new Error(`nothing on the shelf serves "${query.q}"`);
    const found = find(query.q).flatMap((id) => byId.get(id) ?? []);
    return { ...query, ndcg: gain(found.map((item) => gradeOf(item, query))) / ideal };
  });
  const mean = (some: { ndcg: number }[]) => some.reduce((sum, { ndcg }) => sum + ndcg, 0) / some.length;
  const byKind = Object.fromEntries(
    kinds.map((kind) => [kind, mean(scored.filter((one) => one.kind === kind))]),
  ) as Record<Kind, number>;
  return { all: mean(scored), byKind, byQuery: scored.map(({ q, ndcg }) => ({ q, ndcg })) };
}
