import { documentPages } from '../page-model';
import type { DocumentContent } from '../schema';
import { type Choose, type Conflict, conflictKey } from './conflict';
import { mergeFields } from './merge-fields';
import { mergePages } from './merge-pages';
import { isSame } from './same-value';

/** The merged document, and what both sides changed in different ways, in the order of the document. */
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
  const setupOf = ({ format, orientation, language }: DocumentContent) => ({ format, orientation, language });
  const setups = { base: setupOf(base), mine: setupOf(mine), theirs: setupOf(theirs) };
  const setup = mergeFields(setups, (key) => key, settings, decide);
  const cover = mergeFields(
    { base: base.cover, mine: mine.cover, theirs: theirs.cover },
    (key) => `cover.${key === 'imageId' || key === 'path' ? 'image' : key}`,
    settings,
    decide,
  );
  const pages = mergePages({ base: base.pages, mine: mine.pages, theirs: theirs.pages }, decide);
  const isMine =
    setup === setups.mine &&
    cover === mine.cover &&
    pages.length === mine.pages.length &&
    pages.every((page, index) => page === mine.pages[index]);
  return { document: isMine ? mine : { ...setup, cover, pages }, conflicts };
}

function isWithinLimits(pages: DocumentContent['pages'], versions: readonly DocumentContent[]): boolean {
  // A version that could be saved needs no check, which takes long for a large document.
  return versions.some((version) => isSame(version.pages, pages)) || documentPages.safeParse(pages).success;
}

/**
 * Merges two versions of a document that were changed independently from `base`, by page, element and property.
 *
 * - Changes of different properties, elements and pages all stay. Elements and pages are recognized by their ids.
 * - The same property with two new values is a conflict, which keeps mine.
 * - A page or an element that one side removed and the other one changed is a conflict, which keeps the change.
 * - The order of pages and the layers of elements are merged without conflicts: where both sides moved the same page or
 *   element, the result is the same whichever side is mine.
 * - If the merged pages exceed the limits of the page model, or without a base, the whole document is one conflict.
 *
 * `choose` decides conflicts differently. Unchanged parts are the same objects as in `mine`.
 */
export function mergeDocuments(
  base: DocumentContent | null,
  mine: DocumentContent,
  theirs: DocumentContent,
  choose: Choose = keepSuggested,
): Merge {
  if (isSame(mine, theirs)) return { document: mine, conflicts: [] };
  const merge = base && merged(base, mine, theirs, choose);
  if (merge && isWithinLimits(merge.document.pages, [mine, theirs])) return merge;
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
 * The change from `base` to `theirs`, as a function that applies it to other versions of the document. It wins over
 * their own changes of the same properties.
 */
export function changeBetween(
  base: DocumentContent,
  theirs: DocumentContent,
): (document: DocumentContent) => DocumentContent {
  // What is unchanged becomes the same object, so that most of each document need not be compared again.
  const changed = merged(base, base, theirs, () => 'theirs').document;
  return (document) => merged(base, document, changed, () => 'theirs').document;
}

/** Decides conflicts by their keys; those that are not in `sides` keep what is suggested. */
export function chosenSides(sides: ReadonlyMap<string, Conflict['keeps']>): Choose {
  return (conflict) => sides.get(conflictKey(conflict)) ?? conflict.keeps;
}
