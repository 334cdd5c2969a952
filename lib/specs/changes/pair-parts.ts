import { diffArrays } from 'diff';
import type { SpecPart } from './spec-parts';

/**
 * A part that is in both versions, or in only one of them. `isMoved` means that its position relative to the parts
 * around it has changed.
 */
export type PartPair =
  | { before: SpecPart; after: SpecPart; isMoved: boolean }
  | { before: SpecPart; after: null }
  | { before: null; after: SpecPart };

/**
 * Returns a title in lowercase, without punctuation and without its section number, which changes when an earlier
 * section is added or removed.
 */
const titleKey = (title: string | null) =>
  (title ?? '')
    .toLowerCase()
    .replace(/^(?:section|chapter)?\s*\d+(?:\.\d+)*[.):]?\s+/u, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Returns a key for each part, made of its title and the titles of its parent sections. */
function pathKeys(parts: SpecPart[]): string[] {
  const path: { level: number; key: string }[] = [];
  return parts.map(({ title, level }) => {
    while ((path.at(-1)?.level ?? 0) >= level) path.pop();
    path.push({ level, key: titleKey(title) });
    return path.map(({ key }) => key).join('\n');
  });
}

/** Returns the positions of a longest increasing subsequence of `numbers`. */
function longestIncreasing(numbers: number[]): Set<number> {
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [n, value] of numbers.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous.push(ends[low - 1]);
    ends[low] = n;
  }
  const found = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) found.add(at);
  return found;
}

/**
 * Returns the pairs in the order of the newer version. To place a removed part, finds the nearest part before it in the
 * older version that was neither removed nor moved. The removed part comes after that part.
 */
function inOrder(before: SpecPart[], after: SpecPart[], beforeOf: Map<number, number>): PartPair[] {
  const afterOf = new Map([...beforeOf].map(([a, b]) => [b, a]));
  const matched = [...beforeOf].sort(([a], [b]) => a - b);
  const kept = longestIncreasing(matched.map(([, b]) => b));
  const stays = new Set(matched.flatMap(([a], n) => (kept.has(n) ? [a] : [])));
  const removedAfter = new Map<number, PartPair[]>();
  let anchor = -1;
  for (const [b, part] of before.entries()) {
    const a = afterOf.get(b);
    if (a === undefined) {
      removedAfter.set(anchor, [...(removedAfter.get(anchor) ?? []), { before: part, after: null }]);
    } else if (stays.has(a)) anchor = a;
  }
  return [
    ...(removedAfter.get(-1) ?? []),
    ...after.flatMap((part, a): PartPair[] => {
      const b = beforeOf.get(a);
      const old = b === undefined ? undefined : before[b];
      const pair: PartPair = old
        ? { before: old, after: part, isMoved: !stays.has(a) }
        : { before: null, after: part };
      return [pair, ...(removedAfter.get(a) ?? [])];
    }),
  ];
}

/**
 * Pairs the sections of two versions: first those with the same title and parent titles, then those with the same
 * title, then those with the same text.
 */
export function pairSections(before: SpecPart[], after: SpecPart[]): PartPair[] {
  const beforeOf = new Map<number, number>();
  const isPaired = new Set<number>();
  const pairBy = (keysBefore: string[], keysAfter: string[]) => {
    const waiting = new Map<string, number[]>();
    for (const [b, key] of keysBefore.entries()) {
      if (!isPaired.has(b)) waiting.set(key, [...(waiting.get(key) ?? []), b]);
    }
    for (const [a, key] of keysAfter.entries()) {
      if (beforeOf.has(a)) continue;
      const b = waiting.get(key)?.shift();
      if (b === undefined) continue;
      beforeOf.set(a, b);
      isPaired.add(b);
    }
  };
  pairBy(pathKeys(before), pathKeys(after));
  const titles = (parts: SpecPart[]) => parts.map(({ title }) => titleKey(title));
  pairBy(titles(before), titles(after));
  // Give each section without text a key of its own, so that such sections never match by text.
  const texts = (parts: SpecPart[], which: string) => parts.map(({ text }, n) => text || `${which} ${n}`);
  pairBy(texts(before, 'before'), texts(after, 'after'));
  return inOrder(before, after, beforeOf);
}

/** The maximum number of added and removed pages in a comparison. If there are more, pairs all pages by position. */
const MAX_PAGE_EDITS = 1_000;

/**
 * Pairs the pages of two versions. First pairs equal pages that are in the same order in both versions. Then pairs the
 * pages between them by position.
 */
export function pairPages(before: SpecPart[], after: SpecPart[]): PartPair[] {
  const texts = (parts: SpecPart[]) => parts.map(({ text }) => text);
  const steps = diffArrays(texts(before), texts(after), { maxEditLength: MAX_PAGE_EDITS }) ?? [
    { added: false, removed: true, value: texts(before) },
    { added: true, removed: false, value: texts(after) },
  ];
  const beforeOf = new Map<number, number>();
  let [b, a] = [0, 0];
  let gap = { b: 0, a: 0 };
  const closeGap = () => {
    for (let n = 0; gap.b + n < b && gap.a + n < a; n += 1) beforeOf.set(gap.a + n, gap.b + n);
  };
  for (const { added, removed, value } of steps) {
    if (added) a += value.length;
    else if (removed) b += value.length;
    else {
      closeGap();
      for (const _ of value) beforeOf.set(a++, b++);
      gap = { b, a };
    }
  }
  closeGap();
  return inOrder(before, after, beforeOf);
}
