import { isSame } from './merge/same-value';
import { MAX_GUIDES, type PageGuide } from './page-model';

type Guides = readonly PageGuide[];
type Sides = { base: Guides | undefined; mine: Guides | undefined; theirs: Guides | undefined };

const keyOf = ({ axis, at }: PageGuide) => `${axis} ${at}`;

/**
 * Merges the guides of two versions of a page as sets. Keeps the guides that either side added, and drops those that
 * either side removed. Guides therefore never conflict, but a guide that the sides moved to different positions appears
 * twice. Drops guides beyond `MAX_GUIDES`. Returns `mine` itself if `theirs` equals `base` or `mine`.
 */
export function mergedGuides({ base = [], mine, theirs }: Sides): Guides | undefined {
  if (isSame(theirs ?? [], base) || isSame(theirs ?? [], mine ?? [])) return mine;
  if (isSame(mine ?? [], base)) return theirs;
  const [old, own, other] = [base, mine ?? [], theirs ?? []].map((guides) => new Set(guides.map(keyOf)));
  const isKept = (key: string) =>
    old?.has(key) ? own?.has(key) && other?.has(key) : own?.has(key) || other?.has(key);
  const all = new Map([...(mine ?? []), ...(theirs ?? [])].map((guide) => [keyOf(guide), guide]));
  return [...all.values()]
    .filter((guide) => isKept(keyOf(guide)))
    .sort((a, b) => (a.axis === b.axis ? a.at - b.at : a.axis < b.axis ? -1 : 1))
    .slice(0, MAX_GUIDES);
}
