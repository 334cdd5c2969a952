import { documentMasters } from '../masters';
import { documentPages } from '../page-model';
import type { DocumentContent } from '../schema';
import { type Choose, type Conflict, conflictKey } from './conflict';
import { mergeFields } from './merge-fields';
import { isEqualList, mergePages } from './merge-pages';
import { isSame } from './same-value';

/** The merged document, and the conflicts in document order. */
export type Merge = { document: DocumentContent; conflicts: Conflict[] };

const settings = { pageId: null, elementId: null };
const keepSuggested: Choose = ({ keeps }) => keeps;

function merged(
  base: DocumentContent,
  mine: DocumentContent,
  theirs: DocumentContent,
  choose: Choose,
): Merge {
  const conflicts: Conflict[] = [];
  const decide: Choose = (conflict) => {
    conflicts.push(conflict);
    return choose(conflict);
  };
  // A custom size has no meaning without its format.
  const unitOf = (key: string) => {
    if (key === 'cover' || key === 'masters' || key === 'pages') return null;
    return key === 'customSize' ? 'format' : key;
  };
  const setup = mergeFields({ base, mine, theirs }, unitOf, settings, decide);
  const cover = mergeFields(
    { base: base.cover, mine: mine.cover, theirs: theirs.cover },
    (key) => `cover.${key === 'imageId' || key === 'path' ? 'image' : key}`,
    settings,
    decide,
  );
  const masters = mergePages({ base: base.masters, mine: mine.masters, theirs: theirs.masters }, decide);
  const pages = mergePages({ base: base.pages, mine: mine.pages, theirs: theirs.pages }, decide);
  const isMine =
    setup === mine &&
    cover === mine.cover &&
    isEqualList(masters, mine.masters) &&
    isEqualList(pages, mine.pages);
  return { document: isMine ? mine : { ...setup, cover, masters, pages }, conflicts };
}

function isWithinLimits({ masters, pages }: DocumentContent, versions: readonly DocumentContent[]): boolean {
  if (!documentMasters.safeParse(masters).success) return false;
  // Pages that equal those of either version are valid. Skip the check then, because it is slow for a large document.
  return versions.some((version) => isSame(version.pages, pages)) || documentPages.safeParse(pages).success;
}

/**
 * Merges two versions of a document that were changed independently from `base`, by page, element and property.
 *
 * - Changes to different properties, elements and pages are all kept. Elements and pages are matched by id.
 * - A property that both sides changed to different values is a conflict, which keeps mine by default.
 * - A page or element that one side removed and the other changed is a conflict, which keeps the change by default.
 * - Page order and element layers are merged without conflicts: if both sides moved the same page or element, the
 *   result does not depend on which side is mine.
 * - Masters are merged like pages.
 * - If there is no base, or the merged pages or masters exceed the limits of the page model, the whole document is one conflict.
 *
 * `choose` can override the defaults. Unchanged parts are the same objects as in `mine`.
 */
export function mergeDocuments(
  base: DocumentContent | null,
  mine: DocumentContent,
  theirs: DocumentContent,
  choose: Choose = keepSuggested,
): Merge {
  if (isSame(mine, theirs)) return { document: mine, conflicts: [] };
  const merge = base && merged(base, mine, theirs, choose);
  if (merge && isWithinLimits(merge.document, [mine, theirs])) return merge;
  const conflict: Conflict = {
    kind: 'document',
    ...settings,
    property: null,
    mine: null,
    theirs: null,
    keeps: 'mine',
  };
  return { document: choose(conflict) === 'mine' ? mine : theirs, conflicts: [conflict] };
}

/**
 * Returns a function that applies the changes from `base` to `theirs` to another version of the document. Where that
 * version changed the same properties, the changes in `theirs` win.
 */
export function changeBetween(
  base: DocumentContent,
  theirs: DocumentContent,
): (document: DocumentContent) => DocumentContent {
  // Reuse the objects of `base` for unchanged parts, so that later merges can skip comparing them.
  const changed = merged(base, base, theirs, () => 'theirs').document;
  return (document) => merged(base, document, changed, () => 'theirs').document;
}

/** Returns a `Choose` that looks up the side by conflict key. Conflicts that are not in `sides` keep the default. */
export function chosenSides(sides: ReadonlyMap<string, Conflict['keeps']>): Choose {
  return (conflict) => sides.get(conflictKey(conflict)) ?? conflict.keeps;
}
