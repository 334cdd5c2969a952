import { documentMasters } from '../masters';
import { documentPages } from '../page-model';
import type { DocumentContent } from '../schema';
import { withStyles } from '../styles/apply-styles';
import { documentColors, documentStyles } from '../styles/named-styles';
import { type Choose, type Conflict, conflictKey } from './conflict';
import { colorUnit, mergeFields } from './merge-fields';
import { mergeNamed } from './merge-named';
import { isEqualList, mergePages } from './merge-pages';
import { isSame } from './same-value';

/** The merged document and the conflicts, in this order: styles, colors, settings, cover, contents, masters, pages. */
export type Merge = { document: DocumentContent; conflicts: Conflict[] };

const settings = { list: null, pageId: null, elementId: null };
const keepSuggested: Choose = ({ keeps }) => keeps;

/** The lists of a document that are merged by id. */
const lists = new Set(['styles', 'colors', 'masters', 'pages']);

function merged(
  givenBase: DocumentContent,
  given: DocumentContent,
  givenTheirs: DocumentContent,
  choose: Choose,
): Merge {
  const conflicts: Conflict[] = [];
  const decide: Choose = (conflict) => {
    conflicts.push(conflict);
    return choose(conflict);
  };
  const named = <Item extends { id: string }>(
    list: 'styles' | 'colors',
    of: (document: DocumentContent) => Item[],
  ): Item[] => {
    const items = mergeNamed(list, { base: of(givenBase), mine: of(given), theirs: of(givenTheirs) }, decide);
    return isEqualList(items, of(given)) ? of(given) : items;
  };
  const kit = {
    styles: named('styles', ({ styles }) => styles),
    colors: named('colors', ({ colors }) => colors),
  };
  // Give all versions the merged styles and colors first, so that values derived from them cannot conflict.
  const [base, mine, theirs] = [
    withStyles({ ...givenBase, ...kit }),
    withStyles({ ...given, ...kit }),
    withStyles({ ...givenTheirs, ...kit }),
  ];
  // Merge the format and the custom size as one unit, because the size is meaningless without the format `custom`.
  const unitOf = (key: string) => {
    if (key === 'cover' || key === 'contents' || lists.has(key)) return null;
    return key === 'customSize' ? 'format' : key;
  };
  const setup = mergeFields({ base, mine, theirs }, unitOf, settings, decide);
  const cover = mergeFields(
    { base: base.cover, mine: mine.cover, theirs: theirs.cover },
    (key) => `cover.${key === 'imageId' || key === 'path' ? 'image' : colorUnit(key)}`,
    settings,
    decide,
  );
  const contents = mergeFields(
    { base: base.contents, mine: mine.contents, theirs: theirs.contents },
    (key) => `contents.${colorUnit(key)}`,
    settings,
    decide,
  );
  const { styles, colors } = mine;
  const masters = mergePages(
    'masters',
    { base: base.masters, mine: mine.masters, theirs: theirs.masters },
    styles,
    decide,
  );
  const pages = mergePages(
    'pages',
    { base: base.pages, mine: mine.pages, theirs: theirs.pages },
    styles,
    decide,
  );
  const isMine =
    setup === mine &&
    styles === given.styles &&
    colors === given.colors &&
    cover === given.cover &&
    contents === given.contents &&
    isEqualList(masters, given.masters) &&
    isEqualList(pages, given.pages);
  const document = isMine ? given : withStyles({ ...setup, cover, contents, masters, pages });
  return { document, conflicts };
}

function isWithinLimits(
  { styles, colors, masters, pages }: DocumentContent,
  versions: readonly DocumentContent[],
): boolean {
  if (!documentStyles.safeParse(styles).success || !documentColors.safeParse(colors).success) return false;
  if (!documentMasters.safeParse(masters).success) return false;
  // Pages equal to those of either version are valid. Skip their check, which is slow for a large document.
  return versions.some((version) => isSame(version.pages, pages)) || documentPages.safeParse(pages).success;
}

/**
 * Merges two versions of a document that were changed independently from `base`, by page, element and property.
 *
 * - Changes to different properties, elements and pages are all kept. Elements and pages are matched by id.
 * - A property that both sides changed to different values is a conflict. By default, the value of `mine` is kept.
 * - A page or element that one side removed and the other side changed is a conflict. By default, the changed one is
 *   kept. A change only to its order or layer does not count.
 * - Page order and element layers are merged without conflicts. If both sides moved the same page or element, the
 *   result does not depend on which side is mine.
 * - Guides, overrides, table breaks and the heights of growing texts are also merged without conflicts.
 * - Masters are merged like pages. Styles and named colors are merged by id and property. A merged style applies to
 *   every element of the result that uses it.
 * - If there is no base, or the result exceeds the limits of the page model, the whole document is one conflict.
 *
 * `choose` can override the defaults. Pages and masters that take nothing from `theirs` are the same objects as in
 * `mine`.
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
 * Returns a function that applies the changes between `base` and `theirs` to another version of the document. In a
 * conflict, `theirs` wins.
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
